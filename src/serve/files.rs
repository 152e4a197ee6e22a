//! The files of the page, embedded in the program. No other files are served.

use hyper::body::Bytes;

/// An embedded file of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct File {
    path: &'static str,
    pub kind: &'static str,
    text: &'static str,
}

impl File {
    pub(super) fn bytes(self) -> Bytes {
        Bytes::from_static(self.text.as_bytes())
    }
}

const PAGE: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const fn file(path: &'static str, kind: &'static str, text: &'static str) -> File {
    File { path, kind, text }
}

const FILES: [File; 16] = [
    file("/", PAGE, include_str!("../../web/live/page.html")),
    file("/live.css", STYLE, include_str!("../../web/live/live.css")),
    file("/live.js", SCRIPT, include_str!("../../web/live/live.js")),
    file("/play.js", SCRIPT, include_str!("../../web/live/play.js")),
    file("/follow.js", SCRIPT, include_str!("../../web/live/follow.js")),
    file("/page.js", SCRIPT, include_str!("../../web/live/page.js")),
    file("/server.js", SCRIPT, include_str!("../../web/live/server.js")),
    file("/feelings.js", SCRIPT, include_str!("../../web/live/feelings.js")),
    file("/base.css", STYLE, include_str!("../../web/common/base.css")),
    file("/map.js", SCRIPT, include_str!("../../web/common/map.js")),
    file("/theme.js", SCRIPT, include_str!("../../web/common/theme.js")),
    file("/board.js", SCRIPT, include_str!("../../web/vendor/chessground/chessground.min.js")),
    file("/board.css", STYLE, include_str!("../../web/vendor/chessground/chessground.base.css")),
    file("/squares.css", STYLE, include_str!("../../web/vendor/chessground/chessground.brown.css")),
    file(
        "/pieces.css",
        STYLE,
        include_str!("../../web/vendor/chessground/chessground.cburnett.css"),
    ),
    file(
        "/licence.txt",
        "text/plain; charset=utf-8",
        include_str!("../../web/vendor/chessground/LICENSE"),
    ),
];

/// Returns the file at exactly this path.
pub(super) fn find(path: &str) -> Option<File> {
    FILES.into_iter().find(|file| file.path == path)
}
