//! Assembles the HTML page of a report.
//!
//! The page is self-contained: markup, styles, scripts and the data of a game in one file. A server
//! that allows no inline scripts sends the parts as separate files instead.

use crate::{explain::schema, support::inline_hash};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write};

const PAGE: &str = include_str!("../../../web/report/page.html");

/// Style sheets in the order in which they apply.
const STYLES: [&str; 4] = [
    include_str!("../../../web/vendor/chessground/chessground.base.css"),
    include_str!("../../../web/vendor/chessground/chessground.cburnett.css"),
    include_str!("../../../web/common/base.css"),
    include_str!("../../../web/report/report.css"),
];

/// Modules that the scripts import, with their import names.
const MODULES: [(&str, &str); 9] = [
    ("chessground", include_str!("../../../web/vendor/chessground/chessground.min.js")),
    ("map", include_str!("../../../web/common/map.js")),
    ("theme", include_str!("../../../web/common/theme.js")),
    ("memory", include_str!("../../../web/common/memory.js")),
    ("wording", include_str!("../../../web/common/wording.js")),
    ("course", include_str!("../../../web/report/course.js")),
    ("lessons", include_str!("../../../web/report/lessons.js")),
    ("make", include_str!("../../../web/common/make.js")),
    ("parting", include_str!("../../../web/report/parting.js")),
];

const SCRIPT: &str = include_str!("../../../web/report/report.js");

/// Links to the files of the served page, in place of their contents.
const LINKS: &str = r#"<link rel="icon" href="data:,">
<link rel="stylesheet" href="board.css">
<link rel="stylesheet" href="pieces.css">
<link rel="stylesheet" href="base.css">
<link rel="stylesheet" href="report.css">"#;
const LINKED_SCRIPT: &str = r#"<script type="module" src="review.js"></script>"#;

/// Returns the content security policy of a self-contained page with one style and these inline scripts.
/// Modules are imported from `data:` addresses.
fn policy(style: &str, scripts: [&str; 2]) -> String {
    let [map, script] = scripts.map(inline_hash::source);
    format!(
        "default-src 'none'; style-src {}; script-src {map} {script} data:; img-src data:",
        inline_hash::source(style)
    )
}

/// Returns the self-contained page of a game. `json` is its data.
pub(super) fn whole(title: &str, json: &str) -> String {
    let imports = MODULES.into_iter().map(|(name, text)| (name, data_url(text))).collect();
    let imports = embedded(&schema::text(&ImportMap { imports }));
    let style = STYLES.concat();
    let policy = policy(&style, [&imports, SCRIPT]);
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <style>{style}</style>\n<script type=\"importmap\">{imports}</script>"
    );
    let scripts = format!(
        "<script id=\"game\" type=\"application/json\">{}</script>\n\
         <script type=\"module\">{SCRIPT}</script>",
        embedded(json)
    );
    filled(&escaped(title), &head, &scripts)
}

/// Returns the page for a server. It loads its parts from separate files, and its script
/// `review.js` loads the data of the game.
#[must_use]
pub fn served_page() -> String {
    filled("Deep Feeling: look back", LINKS, LINKED_SCRIPT)
}

/// Returns a script of the page with imports by file name, as [`served_page`] needs it.
#[must_use]
pub fn served_module(script: &str) -> String {
    MODULES.into_iter().fold(script.to_owned(), |text, (name, _)| {
        let file = if name == "chessground" { "board" } else { name };
        text.replace(&format!("from \"{name}\""), &format!("from \"./{file}.js\""))
    })
}

/// Fills the placeholders of the page.
fn filled(title: &str, head: &str, scripts: &str) -> String {
    let mut page = String::with_capacity(PAGE.len() + head.len() + scripts.len());
    // a single pass, so that placeholders inside inserted text are not expanded
    for piece in PAGE.split("{{") {
        let (placeholder, text) = piece.split_once("}}").unwrap_or(("", piece));
        page += match placeholder {
            "title" => title,
            "head" => head,
            "scripts" => scripts,
            _ => "",
        };
        page += text;
    }
    page
}

/// The addresses of the modules, by import name.
#[derive(Serialize)]
struct ImportMap {
    imports: BTreeMap<&'static str, String>,
}

/// Escapes JSON for a script element. `<` is escaped, so that the data cannot end the element.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Escapes text for HTML content.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Returns a module as a `data:` URL.
fn data_url(text: &str) -> String {
    let mut url = "data:text/javascript,".to_owned();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'();/?:@&=+$,{}[]|".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // writing to a String cannot fail
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_placeholder_is_filled_and_data_cannot_break_out() {
        let game = json!({"players": "</script><script>alert('{{style}}')"});
        let page = whole("<b> & {{scripts}}", &game.to_string());
        assert!(page.contains("<title>&lt;b> &amp; {{scripts}}</title>"));
        assert_eq!(page.matches("</script>").count(), 3, "only the page's own");
        assert!(page.contains("\\u003c/script>\\u003cscript>alert('{{style}}')"));
        assert_eq!(page.matches("{{").count(), 2, "only those in the title and the game");
    }

    #[test]
    fn the_served_page_has_no_inline_scripts_or_styles() {
        let page = served_page();
        assert!(!page.contains("<style") && page.matches("<script").count() == 1, "{page}");
        assert!(page.contains("src=\"review.js\"") && !page.contains("{{"));
        let script = served_module(SCRIPT);
        assert!(script.contains("from \"./board.js\"") && script.contains("from \"./map.js\""));
        assert!(!script.contains("from \"chessground\""));
    }

    #[test]
    fn modules_become_data_urls() {
        assert_eq!(
            data_url("a = \"ü\" < 1;\n"),
            "data:text/javascript,a%20=%20%22%C3%BC%22%20%3C%201;%0A"
        );
    }
}
