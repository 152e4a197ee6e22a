//! Channels: effects of an emotion on play beside the bent evaluation, namely on contempt, time,
//! attention, taste and empathy.
//!
//! The article bends the evaluation only. The channels are ours. A frightened player settles for a
//! draw and thinks longer, while a relieved one does neither. Both look longest at what the emotion
//! is about (Easterbrook 1959). With taste, the emotion decides only between moves that are about
//! equally good. The search receives plain numbers only.

use std::fmt;

/// The strength of each channel at full intensity. 0 disables a channel completely.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Channels {
    /// How much more a draw is worth in fear, and how much less in relief: -100 to 100 centipawns.
    pub contempt: f64,
    /// How much longer a move takes in fear, and how much shorter in relief: 0 to 50 percent.
    pub time: f64,
    /// How much less late moves are reduced if they concern the goal: 0 to 1024, in 1024ths of a
    /// ply.
    pub attention: f64,
    /// The largest price of a move that the player likes: 0 to 200 centipawns below the best move.
    /// Above 0, the evaluation is bent for this choice only, not in the search.
    pub taste: f64,
    /// How much better a move is after which the opponent feels full fear instead of no emotion: 0 to
    /// 100 centipawns. It does not depend on the player's own emotion.
    pub empathy: f64,
}

/// The effect of an emotion through the [`Channels`], for the side that feels it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelEffects {
    /// The score of a draw, in centipawns.
    pub draw: i32,
    /// The change in thinking time, in percent.
    pub time: i32,
    /// The reduction to take back, in 1024ths of a ply.
    pub attention: i32,
    /// The largest difference between the bonuses of two moves, in centipawns.
    pub taste: i32,
    /// The worth of the opponent's full fear, in centipawns.
    pub empathy: i32,
}

impl Channels {
    /// The limit of each channel in either direction, at any emotion strength.
    pub const MOST: Self =
        Self { contempt: 100.0, time: 50.0, attention: 1024.0, taste: 200.0, empathy: 100.0 };

    /// Returns the effect of `intensity` (-1 to 1) at `emotion_strength` (0 to 200 percent).
    #[must_use]
    pub fn under(&self, intensity: f64, emotion_strength: u16) -> ChannelEffects {
        let strength = f64::from(emotion_strength) / 100.0;
        let felt = intensity * strength;
        let flow =
            |open: f64, felt: f64, most: f64| (open * felt).clamp(-most, most).round() as i32;
        ChannelEffects {
            draw: -flow(self.contempt, felt, Self::MOST.contempt),
            time: -flow(self.time, felt, Self::MOST.time),
            attention: flow(self.attention, felt.abs(), Self::MOST.attention),
            taste: flow(self.taste, felt.abs(), Self::MOST.taste),
            empathy: flow(self.empathy, strength, Self::MOST.empathy),
        }
    }
}

impl fmt::Display for ChannelEffects {
    /// Writes the channels that are not 0, each with a leading space: ` draw +14 time +7%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { draw, time, attention, taste, empathy } = *self;
        if draw != 0 {
            write!(f, " draw {draw:+}")?;
        }
        if time != 0 {
            write!(f, " time {time:+}%")?;
        }
        if attention != 0 {
            write!(f, " attention {attention}")?;
        }
        if taste != 0 {
            write!(f, " taste {taste}")?;
        }
        if empathy != 0 {
            write!(f, " empathy {empathy}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Channels =
        Channels { contempt: 20.0, time: 30.0, attention: 512.0, taste: 40.0, empathy: 0.0 };

    #[test]
    fn disabled_channels_and_absent_emotions_have_no_effect() {
        for emotion_strength in [0, 100, 200] {
            for intensity in [-1.0, -0.3, 0.0, 1.0] {
                let shut = Channels::default().under(intensity, emotion_strength);
                assert_eq!(shut, ChannelEffects::default());
            }
            assert_eq!(OPEN.under(0.0, emotion_strength), ChannelEffects::default());
        }
        assert_eq!(OPEN.under(-1.0, 0), ChannelEffects::default());
        assert_eq!(ChannelEffects::default().to_string(), "");
    }

    #[test]
    fn fear_favours_draws_and_takes_time_and_relief_does_the_opposite() {
        let fear = ChannelEffects { draw: 10, time: 15, attention: 256, taste: 20, empathy: 0 };
        assert_eq!(OPEN.under(-0.5, 100), fear);
        let relief = ChannelEffects { draw: -10, time: -15, attention: 256, taste: 20, empathy: 0 };
        assert_eq!(OPEN.under(0.5, 100), relief);
        assert_eq!(fear.to_string(), " draw +10 time +15% attention 256 taste 20");
        assert_eq!(relief.to_string(), " draw -10 time -15% attention 256 taste 20");
    }

    #[test]
    fn no_emotion_strength_exceeds_the_limit_of_a_channel() {
        let wild = Channels::MOST.under(-1.0, 200);
        let most =
            ChannelEffects { draw: 100, time: 50, attention: 1024, taste: 200, empathy: 100 };
        assert_eq!(wild, most);
        let glad = Channels::MOST.under(1.0, 200);
        assert_eq!(glad, ChannelEffects { draw: -100, time: -50, ..most });
    }

    #[test]
    fn empathy_needs_no_emotion_of_ones_own() {
        let reading = Channels { empathy: 40.0, ..Channels::default() };
        for intensity in [-1.0, 0.0, 0.5] {
            assert_eq!(reading.under(intensity, 100).to_string(), " empathy 40");
            assert_eq!(reading.under(intensity, 0), ChannelEffects::default());
        }
    }
}
