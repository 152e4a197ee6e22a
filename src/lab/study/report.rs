//! Formats the results of a study as text and as JSON.

use super::{
    Results,
    findings::{Finding, Line, Rank, STATEMENTS, Scale, Tested},
    mood,
    sample::Sizes,
};
use serde_json::{Value, json};
use std::fmt;

/// Formats a p-value. Small ones are given as a bound.
pub(super) fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// Formats an estimate with its 95 % interval, as a multiplier of odds or times.
pub(super) fn ratio_text(line: &Line) -> String {
    let [ratio, low, high] = line.estimate.ratios();
    let what = match line.scale {
        Scale::Odds => "odds",
        Scale::Time => "time",
    };
    format!("{what} × {ratio:.2} [{low:.2}, {high:.2}]")
}

/// Returns the share of shuffled maps that gain less than ours.
pub(super) fn beaten(rank: &Rank) -> f64 {
    let beaten = rank.placebos.iter().filter(|gain| **gain < rank.gain).count();
    beaten as f64 / rank.placebos.len().max(1) as f64
}

fn sizes_text(sizes: &Sizes, what: &str) -> String {
    let Sizes { moves, events, games, players } = sizes;
    format!("{moves} moves ({events} {what}), {games} games, {players} players")
}

/// The events of each hypothesis.
const EVENTS: [&str; 5] = ["blunders", "blunders", "timed", "resignations", "blunders"];

impl Results {
    /// Returns a line that describes the data.
    pub(super) fn about(&self) -> String {
        let Self { games, players, moves, searched, nodes, profile, .. } = self;
        let about = format!(
            "{profile}: {moves} moves of {players} players in {games} games; \
             {searched} positions scored by searches of {nodes} nodes"
        );
        if self.dominant.is_empty() {
            return about;
        }
        format!("{about}; moves of {} are grouped by opponent", self.dominant.join(", "))
    }

    /// Returns the results as JSON. Ratios are from no emotion to full emotion.
    #[must_use]
    pub fn as_json(&self) -> Value {
        let hypotheses: Vec<_> = (0..STATEMENTS.len()).map(|number| self.tested(number)).collect();
        let goals = self.goals.iter().map(|goal| {
            json!({"goal": goal.name, "moves": goal.moves, "blunders": goal.blunders, "emotion": goal.felt})
        });
        let moods = mood::STATEMENTS.iter().zip(&self.moods).map(|(statement, tested)| {
            let mut json = tested_json(tested);
            json["statement"] = (*statement).into();
            json
        });
        json!({
            "profile": self.profile, "games": self.games, "players": self.players,
            "moves": self.moves, "searched": self.searched, "nodes": self.nodes,
            "grouped_by_opponent": self.dominant,
            "hypotheses": hypotheses, "moods": moods.collect::<Vec<_>>(), "goals": goals.collect::<Vec<_>>(),
        })
    }

    fn tested(&self, number: usize) -> Value {
        let (name, statement) = STATEMENTS[number];
        let mut json = match self.findings.regressions.get(number) {
            Some(tested) => tested_json(tested),
            None => self.findings.rank.as_ref().map_or_else(|r| json!({ "reason": r }), rank_json),
        };
        json["hypothesis"] = name.into();
        json["statement"] = statement.into();
        json["verdict"] = self.findings.verdict(number).name().into();
        json["p_holm"] = self.findings.corrected[number].into();
        json
    }
}

fn sizes_json(sizes: &Sizes) -> Value {
    let Sizes { moves, events, games, players } = sizes;
    json!({"moves": moves, "events": events, "games": games, "players": players})
}

fn tested_json(tested: &Tested) -> Value {
    tested.as_ref().map_or_else(|reason| json!({ "reason": reason }), finding_json)
}

fn finding_json(finding: &Finding) -> Value {
    let lines: Vec<_> = finding
        .lines
        .iter()
        .map(|line| {
            let mut json = line.estimate.as_json();
            json["term"] = line.label.as_str().into();
            json["of"] = match line.scale {
                Scale::Odds => "odds",
                Scale::Time => "time",
            }
            .into();
            json["moves"] = line.rows.into();
            json["clusters"] = line.clusters.into();
            json
        })
        .collect();
    json!({
        "p": finding.p, "as_predicted": finding.is_as_predicted, "estimates": lines,
        "sample": sizes_json(&finding.sizes), "note": finding.note,
    })
}

fn rank_json(rank: &Rank) -> Value {
    let bins: Vec<_> = rank
        .calibration
        .iter()
        .map(
            |bin| json!({"predicted": bin.predicted, "observed": bin.observed, "moves": bin.moves}),
        )
        .collect();
    json!({
        "p": rank.p, "gain": rank.gain, "gain_by_part": rank.parts, "beaten": beaten(rank),
        "placebos": rank.placebos, "calibration": bins, "sample": sizes_json(&rank.sizes),
    })
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.about())?;
        for (number, (name, statement)) in STATEMENTS.into_iter().enumerate() {
            let verdict = self.findings.verdict(number).name();
            write!(f, "\n{name}  {statement}: {verdict}")?;
            if let Some(corrected) = self.findings.corrected[number] {
                write!(f, " (p {} after Holm)", p_text(corrected))?;
            }
            writeln!(f)?;
            match self.findings.regressions.get(number) {
                Some(tested) => write_tested(f, tested, EVENTS[number])?,
                None => match &self.findings.rank {
                    Ok(rank) => write_rank(f, rank)?,
                    Err(reason) => writeln!(f, "    {reason}")?,
                },
            }
        }
        writeln!(f, "\nDo feelings carry over? (exploration, p not corrected)")?;
        for ((statement, tested), what) in
            mood::STATEMENTS.into_iter().zip(&self.moods).zip(["blunders", "timed"])
        {
            writeln!(f, "  {statement}")?;
            write_tested(f, tested, what)?;
        }
        write!(
            f,
            "\nBy goal (description, no test)\n    goal{:>24}{:>12}{:>10}",
            "moves", "blunders", "emotion"
        )?;
        for goal in &self.goals {
            let share = 100.0 * goal.blunders as f64 / goal.moves.max(1) as f64;
            write!(
                f,
                "\n    {:<18}{:>10}{share:>10.2} %{:>+10.2}",
                goal.name, goal.moves, goal.felt
            )?;
        }
        Ok(())
    }
}

fn write_tested(f: &mut fmt::Formatter<'_>, tested: &Tested, what: &str) -> fmt::Result {
    match tested {
        Ok(finding) => write_finding(f, finding, what),
        Err(reason) => writeln!(f, "    {reason}"),
    }
}

fn write_finding(f: &mut fmt::Formatter<'_>, finding: &Finding, what: &str) -> fmt::Result {
    for line in &finding.lines {
        let p = p_text(line.estimate.p());
        writeln!(f, "    {:<34}{:<32} p {p}", line.label, ratio_text(line))?;
    }
    let note = if finding.note.is_empty() { String::new() } else { format!("; {}", finding.note) };
    writeln!(f, "    {}{note}", sizes_text(&finding.sizes, what))
}

fn write_rank(f: &mut fmt::Formatter<'_>, rank: &Rank) -> fmt::Result {
    writeln!(
        f,
        "    gain {:+.2} nats on held-out players, more than {:.1} % of {} maps; p {}",
        rank.gain,
        100.0 * beaten(rank),
        rank.placebos.len(),
        p_text(rank.p)
    )?;
    writeln!(f, "    {}", sizes_text(&rank.sizes, EVENTS[4]))
}

#[cfg(test)]
pub(super) mod tests {
    use super::{super::findings::tests::findings, *};
    use std::num::NonZeroU64;

    pub(in super::super) fn results() -> Results {
        Results {
            profile: "Standard <1>".into(),
            findings: findings(),
            moods: [findings().regressions[0].clone(), Err("no clocks here".into())],
            games: 20,
            players: 30,
            moves: 1500,
            searched: 7,
            nodes: NonZeroU64::MIN,
            dominant: vec!["A & B".into()],
            goals: Vec::new(),
        }
    }

    #[test]
    fn text_and_json_hold_every_hypothesis() {
        let results = results();
        let text = results.to_string();
        for (name, statement) in STATEMENTS {
            assert!(text.contains(&format!("{name}  {statement}: ")), "{text}");
        }
        assert!(text.contains("odds × 1.49 [1.35, 1.65]"), "{text}");
        assert!(
            text.contains("more than 100.0 % of 50 maps") && text.contains("no clocks"),
            "{text}"
        );
        let json = results.as_json();
        assert_eq!(json["hypotheses"][0]["verdict"], "supported");
        assert_eq!(json["hypotheses"][0]["estimates"][0]["of"], "odds");
        assert_eq!(json["hypotheses"][1]["reason"], "the games have no clocks ([%clk])");
        assert_eq!(json["hypotheses"][4]["placebos"].as_array().unwrap().len(), 50);
        assert!(json["hypotheses"][1]["p_holm"].is_null());
        assert!(
            text.contains("  earlier fear leads to longer thought\n    no clocks here"),
            "{text}"
        );
        assert_eq!(json["moods"][0]["statement"], "earlier fear leads to errors");
        assert_eq!(json["moods"][1]["reason"], "no clocks here");
    }
}
