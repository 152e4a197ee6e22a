//! Fits a policy to some players and judges it by others.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::{PolicyChoice, PolicyReport, fit};
use crate::player::human::{cue::Cue, policy::Policy};
use serde::Serialize;
use std::fmt;
use strum::EnumCount;

/// A fitted policy and how well it predicts moves.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOutcome {
    pub policy: Policy,
    pub report: OutcomeReport,
}

/// How well a fitted policy predicts the moves of players that were held out. If nobody was held
/// out, the players it was fitted to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutcomeReport {
    /// Number of moves that the policy was fitted to.
    pub training_moves: usize,
    /// Number of moves by players held out.
    pub held_out_moves: usize,
    #[serde(flatten)]
    pub judged: PolicyReport,
    /// Log-likelihood per move without goals and emotion, in nats.
    pub unfeeling_likelihood: f64,
    /// Log-likelihood per move without opening moves, in nats.
    pub bookless_likelihood: f64,
}

/// Fits a policy to the choices that are not held out, and judges it by the others. Returns `None`
/// if there is nothing to fit to. A weight of 1 adds `pull` nats to the loss.
#[must_use]
pub fn fit_and_judge(choices: &[PolicyChoice], pull: f64) -> Option<FitOutcome> {
    let (held_out, training): (Vec<_>, Vec<_>) =
        choices.iter().partition(|choice| choice.is_held_out);
    if training.is_empty() {
        return None;
    }
    let policy = fit(&training, &[true; Cue::COUNT], pull);
    let mut unfeeling = [true; Cue::COUNT];
    (unfeeling[Cue::LitByFear as usize], unfeeling[Cue::LitByRelief as usize]) = (false, false);
    let control = fit(&training, &unfeeling, pull);
    let watched: &Vec<&PolicyChoice> = if held_out.is_empty() { &training } else { &held_out };
    let likelihood =
        |choice: &&PolicyChoice| libm::log(policy.probabilities(choice.rating, &choice.moves)[0]);
    let bookless = watched.iter().map(likelihood).sum::<f64>() / watched.len() as f64;
    let report = OutcomeReport {
        training_moves: training.len(),
        held_out_moves: held_out.len(),
        judged: PolicyReport::new(&policy, &training, watched),
        unfeeling_likelihood: PolicyReport::new(&control, &training, watched).all.likelihood,
        bookless_likelihood: bookless,
    };
    Some(FitOutcome { policy, report })
}

impl fmt::Display for OutcomeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { training_moves, held_out_moves, judged, .. } = self;
        writeln!(f, "fitted to {training_moves} moves, {held_out_moves} moves held out")?;
        writeln!(f, "{judged}")?;
        write!(
            f,
            "{:.4} nats; without goals and emotion {:.4}; without opening moves {:.4}",
            judged.all.likelihood, self.unfeeling_likelihood, self.bookless_likelihood
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pgn::GameStage, player::human::policy::CueWeight, support::random::Random};

    /// Returns choices of invented players, who draw moves with the probabilities of `policy`.
    fn simulated(policy: &Policy, number: usize) -> Vec<PolicyChoice> {
        let mut random = Random::new(1);
        let cue = |random: &mut Random| {
            let mut cues = [0.0; Cue::COUNT];
            cues[Cue::Check as usize] = random.below(2) as f32;
            cues[Cue::ReadLoss as usize] = random.unit() as f32;
            cues[Cue::LitByFear as usize] = random.unit() as f32;
            cues
        };
        (0..number)
            .map(|index| {
                let rating = 1000 + (random.below(6) * 200) as u16;
                let mut moves: Vec<_> = (0..6).map(|_| cue(&mut random)).collect();
                let mut left = random.unit();
                let chances = policy.probabilities(rating, &moves);
                let played = chances.iter().position(|chance| {
                    left -= chance;
                    left < 0.0
                });
                moves.swap(0, played.unwrap_or(0));
                PolicyChoice {
                    moves,
                    book: None,
                    rating,
                    stage: GameStage::Opening,
                    is_held_out: index % 4 == 0,
                }
            })
            .collect()
    }

    fn taste() -> Policy {
        let mut policy = Policy { weights: [CueWeight::default(); Cue::COUNT] };
        policy.weights[Cue::Check as usize] = CueWeight { base: 1.0, slope: -0.5 };
        policy.weights[Cue::ReadLoss as usize] = CueWeight { base: -3.0, slope: -1.0 };
        policy
    }

    #[test]
    fn a_fit_recovers_the_weights_that_made_the_choices() {
        let truth = taste();
        let FitOutcome { policy, report } = fit_and_judge(&simulated(&truth, 6000), 0.1).unwrap();
        for cue in [Cue::Check, Cue::ReadLoss, Cue::LitByFear] {
            let (found, made) = (policy.weights[cue as usize], truth.weights[cue as usize]);
            let off = (found.base - made.base).abs().max((found.slope - made.slope).abs());
            assert!(off < 0.25, "{cue:?}: {found:?} instead of {made:?}");
        }
        assert!(policy.weights[Cue::Castle as usize] == CueWeight::default());
        assert_eq!((report.training_moves, report.held_out_moves), (4500, 1500));
        let gain = report.judged.all.likelihood - report.unfeeling_likelihood;
        assert!(gain.abs() < 0.003, "goals had no part in the choices: {gain}");
        assert!(report.judged.all.likelihood > report.judged.all.value_likelihood + 0.05);
        assert!(report.judged.calibration < 0.02, "{}", report.judged.calibration);
    }

    #[test]
    fn a_strong_pull_keeps_the_weights_near_zero() {
        let FitOutcome { policy, .. } = fit_and_judge(&simulated(&taste(), 200), 1e6).unwrap();
        let most = policy.weights.iter().map(|weight| weight.base.abs()).fold(0.0, f64::max);
        assert!(most < 0.01, "{most}");
        let nobody: Vec<_> = simulated(&taste(), 4).into_iter().filter(|c| c.is_held_out).collect();
        assert_eq!(fit_and_judge(&nobody, 1.0), None, "nothing to fit to");
    }

    #[test]
    fn the_report_has_a_row_for_each_band_of_ratings() {
        let FitOutcome { report, .. } = fit_and_judge(&simulated(&taste(), 800), 0.1).unwrap();
        let bands: Vec<_> = report.judged.bands.keys().copied().collect();
        assert_eq!(bands, [1000, 1200, 1400, 1600, 1800, 2000]);
        let moves: usize = report.judged.bands.values().map(|band| band.choices).sum();
        assert_eq!(moves, report.held_out_moves);
        let text = report.to_string();
        assert!(text.starts_with("fitted to 600 moves, 200 moves held out\n"), "{text}");
        let json = serde_json::to_value(&report).unwrap();
        assert!(json["bands"]["1400"]["top_three"].as_f64().unwrap() > 0.5, "{json}");
    }
}
