//! The root of the search: iterative deepening, time management, tablebases, limited strength and
//! reports.

pub mod budget;
pub(super) mod deepening;
pub(super) mod endgames;
pub mod handicap;
pub mod lag;
pub mod limits;
pub(super) mod poll;
pub mod report;
pub mod time;
