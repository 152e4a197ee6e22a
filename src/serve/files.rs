//! The files of the page, embedded in the program. No other files are served. Pages of other games
//! share some of them.

use crate::review::report::{served_module, served_page};
use hyper::body::Bytes;
use std::sync::LazyLock;

/// An embedded file of the page.
#[derive(Clone, Debug)]
pub struct File {
    path: &'static str,
    pub(super) kind: &'static str,
    pub(super) bytes: Bytes,
}

impl File {
    /// Creates a file with a content type, such as [`PAGE`].
    #[must_use]
    pub fn new(path: &'static str, kind: &'static str, text: &'static str) -> Self {
        Self { path, kind, bytes: Bytes::from_static(text.as_bytes()) }
    }
}

/// The content type of pages.
pub const PAGE: &str = "text/html; charset=utf-8";
/// The content type of style sheets.
pub const STYLE: &str = "text/css; charset=utf-8";
/// The content type of scripts.
pub const SCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const IMAGE: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

/// Path, type and contents of each file.
const FILES: &[(&str, &str, &str)] = &[
    ("/", PAGE, include_str!("../../web/live/page.html")),
    ("/live.css", STYLE, include_str!("../../web/live/live.css")),
    ("/start.css", STYLE, include_str!("../../web/live/start.css")),
    ("/live.js", SCRIPT, include_str!("../../web/live/live.js")),
    ("/play.js", SCRIPT, include_str!("../../web/live/play.js")),
    ("/follow.js", SCRIPT, include_str!("../../web/live/follow.js")),
    ("/page.js", SCRIPT, include_str!("../../web/live/page.js")),
    ("/server.js", SCRIPT, include_str!("../../web/live/server.js")),
    ("/feelings.js", SCRIPT, include_str!("../../web/live/feelings.js")),
    ("/status.js", SCRIPT, include_str!("../../web/live/status.js")),
    ("/start.js", SCRIPT, include_str!("../../web/live/start.js")),
    ("/order.js", SCRIPT, include_str!("../../web/live/order.js")),
    ("/moves.js", SCRIPT, include_str!("../../web/live/moves.js")),
    ("/mind.js", SCRIPT, include_str!("../../web/live/mind.js")),
    ("/clocks.js", SCRIPT, include_str!("../../web/live/clocks.js")),
    ("/hand.js", SCRIPT, include_str!("../../web/live/hand.js")),
    ("/end.js", SCRIPT, include_str!("../../web/live/end.js")),
    ("/review.js", SCRIPT, include_str!("../../web/live/review.js")),
    ("/blind.js", SCRIPT, include_str!("../../web/live/blind.js")),
    ("/whatif.js", SCRIPT, include_str!("../../web/live/whatif.js")),
    ("/seats.js", SCRIPT, include_str!("../../web/live/seats.js")),
    ("/view.js", SCRIPT, include_str!("../../web/live/view.js")),
    ("/effect.js", SCRIPT, include_str!("../../web/live/effect.js")),
    ("/goalsquares.js", SCRIPT, include_str!("../../web/live/goalsquares.js")),
    ("/hint.js", SCRIPT, include_str!("../../web/live/hint.js")),
    ("/paste.js", SCRIPT, include_str!("../../web/live/paste.js")),
    ("/ribbon.js", SCRIPT, include_str!("../../web/live/ribbon.js")),
    ("/sw.js", SCRIPT, include_str!("../../web/live/sw.js")),
    ("/felt.css", STYLE, include_str!("../../web/live/felt.css")),
    ("/offline.html", PAGE, include_str!("../../web/live/offline.html")),
    ("/app.webmanifest", MANIFEST, include_str!("../../web/live/app.webmanifest")),
    ("/icon.svg", IMAGE, include_str!("../../web/live/icon.svg")),
    ("/base.css", STYLE, include_str!("../../web/common/base.css")),
    ("/memory.js", SCRIPT, include_str!("../../web/common/memory.js")),
    ("/theme.js", SCRIPT, include_str!("../../web/common/theme.js")),
    ("/report.css", STYLE, include_str!("../../web/report/report.css")),
    ("/factors.js", SCRIPT, include_str!("../../web/common/factors.js")),
    ("/make.js", SCRIPT, include_str!("../../web/common/make.js")),
    ("/board.js", SCRIPT, include_str!("../../web/vendor/chessground/chessground.min.js")),
    ("/board.css", STYLE, include_str!("../../web/vendor/chessground/chessground.base.css")),
    ("/squares.css", STYLE, include_str!("../../web/vendor/chessground/chessground.brown.css")),
    ("/pieces.css", STYLE, include_str!("../../web/vendor/chessground/chessground.cburnett.css")),
    ("/licence.txt", TEXT, include_str!("../../web/vendor/chessground/LICENSE")),
];

/// Scripts that the report uses too, whose imports are changed to file names.
const REPORT: &[(&str, &str)] = &[
    ("/report.js", include_str!("../../web/report/report.js")),
    ("/course.js", include_str!("../../web/report/course.js")),
    ("/lessons.js", include_str!("../../web/report/lessons.js")),
    ("/parting.js", include_str!("../../web/report/parting.js")),
    ("/map.js", include_str!("../../web/common/map.js")),
    ("/wording.js", include_str!("../../web/common/wording.js")),
];

static ALL: LazyLock<Vec<File>> = LazyLock::new(|| {
    let fixed = FILES.iter().map(|&(path, kind, text)| File::new(path, kind, text));
    let report = REPORT.iter().map(|&(path, text)| {
        let bytes = served_module(text).into();
        File { path, kind: SCRIPT, bytes }
    });
    let review = File { path: "/review.html", kind: PAGE, bytes: served_page().into() };
    fixed.chain(report).chain([review]).collect()
});

/// Returns the file at exactly this path.
#[must_use]
pub fn find(path: &str) -> Option<File> {
    ALL.iter().find(|file| file.path == path).cloned()
}
