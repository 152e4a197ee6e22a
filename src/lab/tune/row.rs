//! Parses one line of a data file: a position, the result of its game, and optionally a score.
//!
//! A CSV file names its columns in the first line. Without a header, the columns are
//! `fen,result,cp`. Other columns are ignored. An EPD line has its result as `c9 "1-0"`, in
//! brackets as `[0.5]`, or anywhere as `1-0`, `0-1` or `1/2-1/2`. Results and scores are from
//! White's point of view.

use crate::{chess::game::split_position, support::compressed};

/// The fields of a line. The position is not yet checked for legality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataRow<'l> {
    pub fen: &'l str,
    /// Half points for White: 0, 1 or 2.
    pub result: u8,
    /// Score in centipawns, from White's point of view.
    pub cp: Option<i16>,
    /// The game that the position is from, if the file names it.
    pub game: Option<&'l str>,
}

/// The format of the lines of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Comma-separated values, with the index of each column from 0.
    Csv { fen: usize, result: usize, cp: Option<usize>, game: Option<usize> },
    /// Extended Position Description.
    /// <https://www.chessprogramming.org/Extended_Position_Description>
    Epd,
}

/// Largest absolute score in centipawns. Larger scores are clamped, as the game is won anyway.
const LARGEST_CP: f64 = 30_000.0;
/// The results allowed in a CSV file, for error messages.
const RESULTS: &str = "1, 0.5, 0, 1-0, 1/2-1/2, 0-1";

impl RowFormat {
    /// Detects the format from the file name and the first line. Also returns whether that line is
    /// a header.
    ///
    /// # Errors
    /// Returns an error if the header has no column `result`.
    pub fn detect(name: &str, first: &str) -> Result<(Self, bool), String> {
        let name = compressed::plain_name(name).to_ascii_lowercase();
        let is = |extension: &str| name.ends_with(extension);
        if !is(".csv") && (is(".epd") || !first.contains(',')) {
            return Ok((Self::Epd, false));
        }
        let columns: Vec<String> = fields(first).map(str::to_ascii_lowercase).collect();
        let column_index = |name: &str| columns.iter().position(|column| column == name);
        let Some(fen) = column_index("fen") else {
            return Ok((Self::Csv { fen: 0, result: 1, cp: Some(2), game: None }, false));
        };
        let result = column_index("result").ok_or_else(|| {
            format!("no column `result` (columns: {}; required: fen, result)", columns.join(", "))
        })?;
        Ok((Self::Csv { fen, result, cp: column_index("cp"), game: column_index("game") }, true))
    }

    /// Parses a line of this format.
    ///
    /// # Errors
    /// Returns an error if the position or result is missing, or if the result or score is invalid.
    pub fn row(self, line: &str) -> Result<DataRow<'_>, String> {
        match self {
            Self::Csv { fen, result, cp, game } => {
                let column = |index: usize| fields(line).nth(index).filter(|text| !text.is_empty());
                let text = column(result).ok_or("no result")?;
                Ok(DataRow {
                    fen: column(fen).ok_or("no position")?,
                    result: half_points(text)
                        .ok_or_else(|| format!("invalid result `{text}` (allowed: {RESULTS})"))?,
                    cp: cp.and_then(column).map(centipawns).transpose()?,
                    game: game.and_then(column),
                })
            }
            Self::Epd => {
                let (fen, rest) = split_position(line)
                    .ok_or("no position (required: at least four FEN fields)")?;
                let result = tagged_result(rest)
                    .ok_or("no result (allowed: c9 \"1-0\", [0.5], 1-0, 1/2-1/2, 0-1)")?;
                Ok(DataRow { fen, result, cp: None, game: None })
            }
        }
    }
}

/// Returns the fields of a CSV line without surrounding spaces and quotes. Quoted commas are not
/// supported, because no column that is read contains any.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|field| field.trim().trim_matches('"').trim())
}

/// Parses a result into half points for White.
fn half_points(text: &str) -> Option<u8> {
    match text {
        "1-0" => Some(2),
        "1/2-1/2" | "1/2" => Some(1),
        "0-1" => Some(0),
        _ => {
            let halves = 2.0 * text.parse::<f64>().ok()?;
            [0_u8, 1, 2].into_iter().find(|&n| (f64::from(n) - halves).abs() < 1e-9)
        }
    }
}

/// Parses a score in centipawns and clamps it to [`LARGEST_CP`].
fn centipawns(text: &str) -> Result<i16, String> {
    let cp: Option<f64> = text.parse().ok().filter(|cp: &f64| cp.is_finite());
    let cp = cp
        .ok_or_else(|| format!("invalid score `{text}` (allowed: centipawns or an empty field)"))?;
    Ok(cp.clamp(-LARGEST_CP, LARGEST_CP).round() as i16)
}

/// Finds the result among the operations of an EPD line.
fn tagged_result(rest: &str) -> Option<u8> {
    let between = |open: &str, close: char| {
        let inside = rest.split_once(open)?.1;
        half_points(inside.split_once(close)?.0.trim())
    };
    let dashed = || {
        let words = rest.split(|c: char| !matches!(c, '0'..='9' | '/' | '-'));
        words.filter(|word| word.contains('-')).find_map(half_points)
    };
    between("[", ']').or_else(|| between("c9 \"", '"')).or_else(dashed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/8/4K3/7k w - - 0 1";

    #[test]
    fn the_header_gives_the_order_of_the_columns() {
        let (format, header) = RowFormat::detect("a.csv.zst", "game,Result,x,fen").unwrap();
        assert!(header);
        let line = format!("12,1/2-1/2,?,{FEN}");
        let expected = DataRow { fen: FEN, result: 1, cp: None, game: Some("12") };
        assert_eq!(format.row(&line), Ok(expected));
        let error = RowFormat::detect("a.csv", "fen,outcome").unwrap_err();
        assert!(error.contains("`result`") && error.contains("outcome"), "{error}");
    }

    #[test]
    fn without_a_header_the_columns_are_fen_result_cp() {
        let line = format!("\"{FEN}\", 0-1, -31.6");
        let (format, header) = RowFormat::detect("data.txt", &line).unwrap();
        assert!(!header);
        assert_eq!(
            format.row(&line),
            Ok(DataRow { fen: FEN, result: 0, cp: Some(-32), game: None })
        );
        for (line, reason) in [("8/8,2", "`2`"), ("8/8", "no result"), ("8/8,1,#3", "`#3`")] {
            let error = format.row(line).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn epd_results_are_read_from_c9_brackets_or_plain_text() {
        let four = "8/8/8/8/8/8/4K3/7k w - -";
        for (tail, result) in [
            (" c9 \"1-0\";", 2),
            (" c9 \"0.5\"; id \"7\";", 1),
            (" [0.0]", 0),
            (" hmvc 1; id \"1\"; c9 \"1/2-1/2\";", 1),
            (" 0-1", 0),
        ] {
            for fen in [four, FEN] {
                let line = format!("{fen}{tail}");
                let (format, header) = RowFormat::detect("set.epd", &line).unwrap();
                assert!(!header);
                let expected = DataRow { fen, result, cp: None, game: None };
                assert_eq!(format.row(&line), Ok(expected), "{line}");
            }
        }
        for line in ["8/8 w -", "8/8/8/8/8/8/4K3/7k w - - bm Ke3; id \"1\";", "", "é é é"] {
            assert!(RowFormat::Epd.row(line).is_err(), "{line}");
        }
    }
}
