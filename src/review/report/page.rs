//! A page that needs nothing else: markup, styles, scripts and a game's data in one file.

use serde_json::{Value, json};
use std::fmt::Write;

const PAGE: &str = include_str!("../../../web/report/page.html");

/// In the order in which they apply.
const STYLES: [&str; 4] = [
    include_str!("../../../web/vendor/chessground/chessground.base.css"),
    include_str!("../../../web/vendor/chessground/chessground.cburnett.css"),
    include_str!("../../../web/common/base.css"),
    include_str!("../../../web/report/report.css"),
];

/// What the page's scripts import, by the name they use.
const MODULES: [(&str, &str); 5] = [
    ("chessground", include_str!("../../../web/vendor/chessground/chessground.min.js")),
    ("map", include_str!("../../../web/common/map.js")),
    ("theme", include_str!("../../../web/common/theme.js")),
    ("course", include_str!("../../../web/report/course.js")),
    ("make", include_str!("../../../web/report/make.js")),
];

const SCRIPT: &str = include_str!("../../../web/report/report.js");

/// The page of a game.
pub(super) fn page(title: &str, game: &Value) -> String {
    let imports: serde_json::Map<_, _> =
        MODULES.into_iter().map(|(name, text)| (name.into(), data_url(text).into())).collect();
    let imports = embedded(&json!({"imports": imports}));
    let (title, styles, game) = (escaped(title), STYLES.concat(), embedded(game));
    let mut page = String::with_capacity(PAGE.len() + styles.len() + imports.len() + game.len());
    // one pass: what is filled in is never looked through for gaps
    for piece in PAGE.split("{{") {
        let (gap, text) = piece.split_once("}}").unwrap_or(("", piece));
        page += match gap {
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

/// JSON that may stand within a script element: nothing in it ends the element or begins another.
fn embedded(json: &Value) -> String {
    json.to_string().replace('<', "\\u003c")
}

/// Text that may stand between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A module as an address that is its own content.
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

    #[test]
    fn every_gap_is_filled_and_data_cannot_break_out() {
        let game = json!({"players": "</script><script>alert('{{style}}')"});
        let page = page("<b> & {{script}}", &game);
        assert!(page.contains("<title>&lt;b> &amp; {{script}}</title>"));
        assert_eq!(page.matches("</script>").count(), 3, "the page's own");
        assert!(page.contains("\\u003c/script>\\u003cscript>alert('{{style}}')"));
        assert_eq!(page.matches("{{").count(), 2, "those of title and game alone");
    }

    #[test]
    fn modules_travel_as_addresses() {
        assert_eq!(
            data_url("a = \"ü\" < 1;\n"),
            "data:text/javascript,a%20=%20%22%C3%BC%22%20%3C%201;%0A"
        );
    }
}
