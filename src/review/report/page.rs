//! Assembles a self-contained HTML page: markup, styles, scripts and the data of a game in one
//! file.

use crate::explain::schema;
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
const MODULES: [(&str, &str); 5] = [
    ("chessground", include_str!("../../../web/vendor/chessground/chessground.min.js")),
    ("map", include_str!("../../../web/common/map.js")),
    ("theme", include_str!("../../../web/common/theme.js")),
    ("course", include_str!("../../../web/report/course.js")),
    ("make", include_str!("../../../web/report/make.js")),
];

const SCRIPT: &str = include_str!("../../../web/report/report.js");

/// Returns the page of a game.
pub(super) fn page(title: &str, game: &impl Serialize) -> String {
    let imports = MODULES.into_iter().map(|(name, text)| (name, data_url(text))).collect();
    let imports = embedded(&ImportMap { imports });
    let (title, styles, game) = (escaped(title), STYLES.concat(), embedded(game));
    let mut page = String::with_capacity(PAGE.len() + styles.len() + imports.len() + game.len());
    // a single pass, so that placeholders inside inserted text are not expanded
    for piece in PAGE.split("{{") {
        let (placeholder, text) = piece.split_once("}}").unwrap_or(("", piece));
        page += match placeholder {
            "title" => &title,
            "style" => &styles,
            "imports" => &imports,
            "game" => &game,
            "script" => SCRIPT,
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

/// Serialises JSON for a script element. `<` is escaped, so that the data cannot end the element.
fn embedded(record: &impl Serialize) -> String {
    schema::text(record).replace('<', "\\u003c")
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
        let page = page("<b> & {{script}}", &game);
        assert!(page.contains("<title>&lt;b> &amp; {{script}}</title>"));
        assert_eq!(page.matches("</script>").count(), 3, "only the page's own");
        assert!(page.contains("\\u003c/script>\\u003cscript>alert('{{style}}')"));
        assert_eq!(page.matches("{{").count(), 2, "only those in the title and the game");
    }

    #[test]
    fn modules_become_data_urls() {
        assert_eq!(
            data_url("a = \"ü\" < 1;\n"),
            "data:text/javascript,a%20=%20%22%C3%BC%22%20%3C%201;%0A"
        );
    }
}
