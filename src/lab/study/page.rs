//! Assembles the self-contained HTML page of a study: tables and figures.

use super::{
    Results, figure,
    findings::{Finding, Rank, STATEMENTS, Tested},
    mood,
    report::{beaten, p_text, ratio_text},
};
use crate::{lab::svg, support::inline_hash};

const STYLES: [&str; 2] =
    [include_str!("../../../web/common/base.css"), include_str!("../../../web/study/study.css")];

impl Results {
    /// Returns the page. It needs no other files and no network.
    #[must_use]
    pub fn page(&self) -> String {
        let rows: String = (0..STATEMENTS.len()).map(|number| self.row(number)).collect();
        let mut figures = panel("Effects", &figure::effects(&self.findings));
        if let Ok(rank) = &self.findings.rank {
            figures += &panel("Maps with shuffled weights", &figure::placebos(rank));
            figures += &panel("Calibration", &figure::calibration(&rank.calibration));
        }
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"deepfeeling\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src {} {}\">\n<title>Does the map predict people?</title>\n<style>{}</style>\n</head>\n<body>\n\
             <header><h1>Does the map predict people?</h1>\n<p class=\"quiet\">{}</p></header>\n<main>\n\
             <section class=\"panel scroll\"><h2>Hypotheses</h2>\n<table>\n<thead><tr><th>Hypothesis</th>\
             <th>Result</th><th>Estimates</th><th>p</th><th>Holm</th><th>Moves</th><th>Games</th>\
             <th>Players</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n\
             <p class=\"quiet\">Estimates compare full emotion with none, with 95 % intervals. \
             Holm: corrected for five tests.</p></section>\n\
             <section class=\"panel scroll\"><h2>Do feelings carry over?</h2>\n<table>\n<thead><tr>\
             <th>Exploration</th><th>Estimates</th><th>p</th><th>Moves</th><th>Games</th><th>Players</th>\
             </tr></thead>\n<tbody>\n{}</tbody>\n</table>\n<p class=\"quiet\">The mood of the player's \
             earlier turns, beside the present emotion. Not among the five hypotheses, so p is not \
             corrected.</p></section>\n{figures}</main>\n\
             <footer class=\"quiet\">Made by deepfeeling, a chess engine that feels.</footer>\n\
             </body>\n</html>\n",
            inline_hash::source(&STYLES.concat()),
            inline_hash::source(&svg::style()),
            STYLES.concat(),
            escaped(&self.about()),
            self.mood_rows()
        )
    }

    fn row(&self, number: usize) -> String {
        let (name, statement) = STATEMENTS[number];
        let verdict = self.findings.verdict(number).name();
        let head = format!("<tr><th>{name}</th><td><b>{verdict}</b><br>{statement}</td>");
        let cells = match self.findings.regressions.get(number) {
            Some(tested) => tested_cells(tested),
            None => self.findings.rank.as_ref().map_or_else(|reason| no_cells(reason), rank_cells),
        };
        let [estimates, p, sizes] = cells;
        let corrected = self.findings.corrected[number].map_or(String::new(), p_cell);
        format!("{head}<td>{estimates}</td><td>{p}</td><td>{corrected}</td>{sizes}</tr>\n")
    }

    fn mood_rows(&self) -> String {
        let row = |(statement, tested)| {
            let [estimates, p, sizes] = tested_cells(tested);
            format!("<tr><td>{statement}</td><td>{estimates}</td><td>{p}</td>{sizes}</tr>\n")
        };
        mood::STATEMENTS.into_iter().zip(&self.moods).map(row).collect()
    }
}

fn panel(title: &str, figure: &str) -> String {
    format!("<section class=\"panel\"><h2>{title}</h2>\n{figure}</section>\n")
}

fn p_cell(p: f64) -> String {
    escaped(&p_text(p))
}

fn sizes_cells(sizes: &super::sample::Sizes) -> String {
    format!("<td>{}</td><td>{}</td><td>{}</td>", sizes.moves, sizes.games, sizes.players)
}

/// Returns the cells of estimates, p-value and sizes.
fn tested_cells(tested: &Tested) -> [String; 3] {
    tested.as_ref().map_or_else(|reason| no_cells(reason), finding_cells)
}

/// Returns the cells of a test that was not possible for `reason`.
fn no_cells(reason: &str) -> [String; 3] {
    [escaped(reason), String::new(), "<td></td><td></td><td></td>".into()]
}

fn finding_cells(finding: &Finding) -> [String; 3] {
    let lines = finding.lines.iter().map(|line| {
        let p = p_text(line.estimate.p());
        escaped(&format!("{}: {} (p {p})", line.label, ratio_text(line)))
    });
    let lines = lines.collect::<Vec<_>>().join("<br>");
    let estimates = format!("{lines}<br><span class=\"quiet\">{}</span>", escaped(&finding.note));
    [estimates, p_cell(finding.p), sizes_cells(&finding.sizes)]
}

fn rank_cells(rank: &Rank) -> [String; 3] {
    let estimates = format!(
        "gain {:+.2} nats on held-out players, more than {:.1} % of {} maps",
        rank.gain,
        100.0 * beaten(rank),
        rank.placebos.len()
    );
    [estimates, p_cell(rank.p), sizes_cells(&rank.sizes)]
}

/// Escapes text for HTML content.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::results;

    #[test]
    fn the_page_is_complete_and_escaped() {
        let page = results().page();
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert_eq!((page.matches("<svg ").count(), page.matches("</svg>").count()), (3, 3));
        assert_eq!(page.matches("<tr>").count(), 9);
        for words in ["Standard &lt;1>", "A &amp; B", "no clocks", "not supported", "&lt; 0.001"] {
            assert!(page.contains(words), "{words}");
        }
        assert!(!page.contains("http://") || page.matches("http://").count() == 3);
        assert!(!page.contains("<script"));
    }
}
