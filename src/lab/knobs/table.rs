//! Reads and writes the findings of `knobs` as tab-separated text, one finding per line.

use super::{
    EmotionSign, Knob, KnobPart,
    mine::{KnobFinding, Witness},
};
use crate::{
    chess_mind::{Goal, SideGroup},
    eval::group::Group,
    lab::BrokenLine,
    mind::side_group::RelativeSide,
};
use serde::Serialize;
use std::{fmt, num::NonZeroU64};

/// The header line with the field names. Empty fields hold `-`.
pub const HEADER: &str =
    "profile\tgoal\tfeeling\tside\tgroup\tpercent\tnodes\tfen\twith\twithout\tnot found because";
/// The number of fields per line.
const FIELDS: usize = 11;
/// The text of an empty field.
const NOTHING: &str = "-";

/// Returns the header and one line per finding. Knobs without a witness come last.
pub fn write(findings: &[KnobFinding]) -> String {
    let (found, not_found): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| finding.witness.is_ok());
    let lines = found.into_iter().chain(not_found).map(ToString::to_string);
    let mut text = std::iter::once(HEADER.into()).chain(lines).collect::<Vec<String>>().join("\n");
    text.push('\n');
    text
}

/// Parses the findings from text in the format of [`write()`]. Lines that begin with `#` are
/// ignored.
///
/// # Errors
/// If the header differs from [`HEADER`], or a line is malformed.
pub fn read(text: &str) -> Result<Vec<KnobFinding>, BrokenLine> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let (at, header) = lines.next().unwrap_or_default();
    if header != HEADER {
        let expected = HEADER.replace('\t', " ");
        let complaint =
            format!("found the header `{header}`, allowed: `{expected}`, separated by tabs");
        return Err(BrokenLine { line: at + 1, complaint });
    }
    lines
        .map(|(at, line)| finding(line).map_err(|complaint| BrokenLine { line: at + 1, complaint }))
        .collect()
}

fn finding(line: &str) -> Result<KnobFinding, String> {
    let fields: Vec<_> = line.split('\t').collect();
    let &[profile, goal, feeling, side, group, percent, nodes, fen, with, without, reason] =
        fields.as_slice()
    else {
        return Err(format!("found {} fields, allowed: {FIELDS}, separated by tabs", fields.len()));
    };
    let goal = Goal::from_name(goal).ok_or_else(|| format!("unknown goal `{goal}`"))?;
    let part = part(feeling, side, group)?;
    let percent = match part {
        KnobPart::Whole => None,
        KnobPart::Percentage { .. } => {
            Some(percent.parse().map_err(|_| format!("`{percent}` is not a percentage"))?)
        }
    };
    let witness = if fen == NOTHING {
        Err(reason.to_owned())
    } else {
        let nodes: NonZeroU64 =
            nodes.parse().map_err(|_| format!("`{nodes}` is not a positive number of nodes"))?;
        let [fen, with, without] = [fen, with, without].map(str::to_owned);
        Ok(Witness { nodes, fen, with, without })
    };
    Ok(KnobFinding { profile: profile.to_owned(), knob: Knob { goal, part }, percent, witness })
}

fn part(feeling: &str, side: &str, group: &str) -> Result<KnobPart, String> {
    if [feeling, side, group] == [NOTHING; 3] {
        return Ok(KnobPart::Whole);
    }
    let feelings = EmotionSign::ALL.into_iter().find(|one| one.name() == feeling);
    let sides = RelativeSide::ALL.into_iter().find(|one| one.name() == side);
    let groups = Group::ALL.into_iter().find(|one| one.name() == group);
    let feeling =
        feelings.ok_or_else(|| format!("unknown feeling `{feeling}`, allowed: fear, relief"))?;
    let side = sides.ok_or_else(|| format!("unknown side `{side}`, allowed: own, other, both"))?;
    let group = groups.ok_or_else(|| format!("unknown group `{group}`"))?;
    Ok(KnobPart::Percentage { feeling, ratio: SideGroup { group, side } })
}

impl Knob {
    /// Returns the names of feeling, side and group, or `None` for a whole goal.
    fn names(self) -> Option<[&'static str; 3]> {
        match self.part {
            KnobPart::Whole => None,
            KnobPart::Percentage { feeling, ratio } => {
                Some([feeling.name(), ratio.side.name(), ratio.group.name()])
            }
        }
    }
}

impl fmt::Display for KnobFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = self.knob.names().unwrap_or([NOTHING; 3]).join("\t");
        let percent = self.percent.map_or_else(|| NOTHING.into(), |percent| percent.to_string());
        write!(f, "{}\t{}\t{part}\t{percent}\t", self.profile, self.knob.goal.name())?;
        match &self.witness {
            Ok(Witness { nodes, fen, with, without }) => {
                write!(f, "{nodes}\t{fen}\t{with}\t{without}\t{NOTHING}")
            }
            Err(reason) => write!(f, "{}\t{reason}", [NOTHING; 4].join("\t")),
        }
    }
}

impl KnobFinding {
    /// Returns the finding for JSON.
    pub fn record(&self) -> FindingRecord<'_> {
        let [feeling, side, group] = self.knob.names().map_or([None; 3], |names| names.map(Some));
        let witness = self.witness.as_ref().ok();
        FindingRecord {
            profile: &self.profile,
            goal: self.knob.goal.name(),
            feeling,
            side,
            group,
            percent: self.percent,
            nodes: witness.map(|witness| witness.nodes),
            fen: witness.map(|witness| witness.fen.as_str()),
            with: witness.map(|witness| witness.with.as_str()),
            without: witness.map(|witness| witness.without.as_str()),
            not_found_because: self.witness.as_ref().err().map(String::as_str),
        }
    }
}

/// The JSON form of [`KnobFinding`].
#[derive(Clone, Debug, Serialize)]
pub struct FindingRecord<'a> {
    profile: &'a str,
    goal: &'static str,
    feeling: Option<&'static str>,
    side: Option<&'static str>,
    group: Option<&'static str>,
    percent: Option<f64>,
    nodes: Option<NonZeroU64>,
    fen: Option<&'a str>,
    with: Option<&'a str>,
    without: Option<&'a str>,
    not_found_because: Option<&'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Vec<KnobFinding> {
        let part = KnobPart::Percentage {
            feeling: EmotionSign::Fear,
            ratio: SideGroup { group: Group::Passed, side: RelativeSide::Own },
        };
        let witness = Witness {
            nodes: NonZeroU64::new(2000).unwrap(),
            fen: "4k3/8/8/8/8/8/8/4K3 w - - 0 1".into(),
            with: "e1e2".into(),
            without: "e1d2".into(),
        };
        let one = KnobFinding {
            profile: "standard".into(),
            knob: Knob { goal: Goal::PromotePawn, part },
            percent: Some(112.5),
            witness: Ok(witness),
        };
        let knob = Knob { goal: Goal::Castle, part: KnobPart::Whole };
        let other =
            KnobFinding { knob, percent: None, witness: Err("never felt".into()), ..one.clone() };
        vec![one, other]
    }

    #[test]
    fn written_findings_can_be_read_back() {
        let text = format!("# a comment\n{}", write(&findings()));
        assert_eq!(read(&text).unwrap(), findings());
        // knobs without a witness come last
        let reversed: Vec<_> = findings().into_iter().rev().collect();
        assert_eq!(read(&write(&reversed)).unwrap(), findings());
    }

    #[test]
    fn malformed_lines_are_reported_with_their_number() {
        let text = write(&findings());
        for (found, instead, complaint) in [
            ("profile\t", "name\t", "line 1: found the header"),
            ("promote_pawn", "promote", "line 2: unknown goal `promote`"),
            ("\tfear", "\tanger", "unknown feeling `anger`, allowed: fear, relief"),
            ("\town", "\tours", "unknown side `ours`, allowed: own"),
            ("\tpassed", "\tpast", "unknown group `past`"),
            ("112.5", "much", "`much` is not a percentage"),
            ("2000", "0", "`0` is not a positive number of nodes"),
            ("e1e2\t", "e1e2 ", "line 2: found 10 fields, allowed: 11"),
        ] {
            let error = read(&text.replacen(found, instead, 1)).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
