//! Channels: the ways, beside the weights of the evaluation, in which a feeling reaches play.
//!
//! The article bends the evaluation and nothing else. What it leaves out is known of people: who is
//! afraid of losing settles for a draw and dwells on the decision, who is at ease does neither, and
//! both look longest at what the feeling is about (Easterbrook 1959, as in [`super::salience`]). The
//! search is told plain numbers and does not know why.

use std::fmt;

/// How far each channel is open at full feeling; 0 shuts it, and play is exactly as without it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Channels {
    /// Centipawns that a draw is worth more in fear and less in relief, -100 to 100.
    pub contempt: f64,
    /// Percent of the usual time that a move takes more in fear and less in relief, 0 to 50.
    pub time: f64,
    /// By how much less late moves are reduced that the goal draws the eye to, in 1024ths of a ply,
    /// 0 to 1024.
    pub attention: f64,
}

/// What a feeling makes of the [`Channels`], for the side that feels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaning {
    /// What a draw is worth, in centipawns.
    pub draw: i32,
    /// Percent of the usual time that is taken more, or less if negative.
    pub time: i32,
    /// 1024ths of a ply.
    pub attention: i32,
}

impl Channels {
    /// The widest that each channel opens, either way and whatever the temperament.
    pub const MOST: Self = Self { contempt: 100.0, time: 50.0, attention: 1024.0 };

    /// What they make of `intensity`, -1 to 1. `temperament` is the percentage of it that is felt, 0
    /// to 200.
    #[must_use]
    pub fn under(&self, intensity: f64, emotion_strength: u16) -> Leaning {
        let felt = intensity * f64::from(emotion_strength) / 100.0;
        let flow =
            |open: f64, felt: f64, most: f64| (open * felt).clamp(-most, most).round() as i32;
        Leaning {
            draw: -flow(self.contempt, felt, Self::MOST.contempt),
            time: -flow(self.time, felt, Self::MOST.time),
            attention: flow(self.attention, felt.abs(), Self::MOST.attention),
        }
    }
}

impl fmt::Display for Leaning {
    /// The channels that do something, each with a space in front: ` draw +14 time +7%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { draw, time, attention } = *self;
        if draw != 0 {
            write!(f, " draw {draw:+}")?;
        }
        if time != 0 {
            write!(f, " time {time:+}%")?;
        }
        if attention != 0 {
            write!(f, " attention {attention}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Channels = Channels { contempt: 20.0, time: 30.0, attention: 512.0 };

    #[test]
    fn what_is_shut_or_not_felt_leans_nowhere() {
        for emotion_strength in [0, 100, 200] {
            for intensity in [-1.0, -0.3, 0.0, 1.0] {
                let shut = Channels::default().under(intensity, emotion_strength);
                assert_eq!(shut, Leaning::default());
            }
            assert_eq!(OPEN.under(0.0, emotion_strength), Leaning::default());
        }
        assert_eq!(OPEN.under(-1.0, 0), Leaning::default());
        assert_eq!(Leaning::default().to_string(), "");
    }

    #[test]
    fn fear_settles_for_a_draw_and_dwells_and_relief_does_neither() {
        let fear = Leaning { draw: 10, time: 15, attention: 256 };
        assert_eq!(OPEN.under(-0.5, 100), fear);
        let relief = Leaning { draw: -10, time: -15, attention: 256 };
        assert_eq!(OPEN.under(0.5, 100), relief);
        assert_eq!(fear.to_string(), " draw +10 time +15% attention 256");
        assert_eq!(relief.to_string(), " draw -10 time -15% attention 256");
    }

    #[test]
    fn no_temperament_opens_a_channel_beyond_its_range() {
        let wild = Channels::MOST.under(-1.0, 200);
        assert_eq!(wild, Leaning { draw: 100, time: 50, attention: 1024 });
        let glad = Channels::MOST.under(1.0, 200);
        assert_eq!(glad, Leaning { draw: -100, time: -50, attention: 1024 });
    }
}
