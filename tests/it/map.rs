//! Tests of fuzzy cognitive maps: fixed points, cycles, unsettled maps, bounds, held concepts,
//! rules.

use crate::minds::{held_mind, paper_mind};
use deepfeeling::mind::{
    analysis::{ConceptRole, Norms},
    concept::Concept,
    fcm::{Activation, FuzzyCognitiveMap, Rule, Settling, Squash},
};
use nalgebra::SMatrix;
use proptest::{prelude::*, test_runner::RngSeed};
use shakmaty::{Chess, Color};

const FREE: [bool; 2] = [false; 2];

/// Creates a map of two concepts. `links` has a row per concept with its links from both concepts.
fn map(links: [[f64; 2]; 2], squash: Squash, rule: Rule) -> FuzzyCognitiveMap<2> {
    let influence = SMatrix::from_fn(|to, from| links[to][from]);
    FuzzyCognitiveMap { influence, squash, rule, tolerance: 1e-9, step_limit: 500 }
}

fn at(first: f64, second: f64) -> Activation<2> {
    Activation::from([first, second])
}

#[test]
fn a_weak_map_decays_to_zero() {
    let map = map([[0.0, 0.3], [0.3, 0.0]], Squash::Tanh { slope: 1.0 }, Rule::Kosko);
    let (end, settling) = map.relax(&at(1.0, -1.0), &FREE);
    assert!(end.amax() < 1e-8, "{end}");
    assert!(matches!(settling, Settling::FixedPoint { steps } if steps > 5));
}

#[test]
fn a_fixed_point_counts_the_step_without_change() {
    let map = map([[0.0, 1.0], [0.0, 0.0]], Squash::Saturation, Rule::Kosko);
    // (0, 1) -> (1, 0) -> (0, 0) -> (0, 0)
    let (states, end, settling) = map.relax_traced(&at(0.0, 1.0), &FREE);
    assert_eq!(settling, Settling::FixedPoint { steps: 3 });
    assert_eq!(states, [at(0.0, 1.0), at(1.0, 0.0), at(0.0, 0.0), at(0.0, 0.0)]);
    assert_eq!((end, settling), map.relax(&at(0.0, 1.0), &FREE));
}

#[test]
fn an_exact_return_is_a_cycle_and_gives_its_mean() {
    let swap = [[0.0, 1.0], [1.0, 0.0]];
    let (end, settling) = map(swap, Squash::Trivalent, Rule::Kosko).relax(&at(1.0, -1.0), &FREE);
    assert_eq!((end, settling), (at(0.0, 0.0), Settling::Cycle { period: 2 }));
    let (end, settling) = map(swap, Squash::Bivalent, Rule::Kosko).relax(&at(1.0, 0.0), &FREE);
    assert_eq!((end, settling), (at(0.5, 0.5), Settling::Cycle { period: 2 }));
    // each step is a quarter turn, so the cycle has four states
    let turn = map([[0.0, -1.0], [1.0, 0.0]], Squash::Trivalent, Rule::Kosko);
    assert_eq!(turn.relax(&at(1.0, 0.0), &FREE).1, Settling::Cycle { period: 4 });
}

#[test]
fn a_cycle_is_found_early() {
    let mut swap = map([[0.0, 1.0], [1.0, 0.0]], Squash::Trivalent, Rule::Kosko);
    swap.step_limit = 3;
    assert_eq!(swap.relax(&at(1.0, -1.0), &FREE).1, Settling::Cycle { period: 2 });
    // the start lies outside the cycle: the remembered state is replaced until it lies inside
    let (states, _, settling) = swap.relax_traced(&at(0.7, -0.2), &FREE);
    assert_eq!(settling, Settling::Cycle { period: 2 });
    assert!(states.len() <= 4);
}

#[test]
fn an_inexact_cycle_is_found_at_the_step_limit() {
    // both concepts change sign each step and converge to a constant size
    let flip = map([[0.0, -2.0], [-2.0, 0.0]], Squash::Tanh { slope: 1.0 }, Rule::Kosko);
    let mut short = flip.clone();
    short.step_limit = 25;
    short.tolerance = 1e-6;
    let (end, settling) = short.relax(&at(0.5, 0.4), &FREE);
    assert_eq!(settling, Settling::Cycle { period: 2 });
    assert!(end.amax() < 1e-3, "{end}");
}

#[test]
fn an_aperiodic_rotation_is_unsettled() {
    // a rotation by one radian never returns exactly to its start
    let (sin, cos) = (libm::sin(1.0), libm::cos(1.0));
    let turn = map([[cos, -sin], [sin, cos]], Squash::Saturation, Rule::Kosko);
    let (_, settling) = turn.relax(&at(0.3, 0.0), &FREE);
    assert_eq!(settling, Settling::Unsettled);
}

#[test]
fn a_fixed_point_after_the_step_limit_is_unsettled() {
    let mut slow = map([[0.99, 0.0], [0.0, 0.99]], Squash::Saturation, Rule::Kosko);
    slow.step_limit = 10;
    assert_eq!(slow.relax(&at(1.0, 1.0), &FREE).1, Settling::Unsettled);
    let mut strict = map([[0.0; 2]; 2], Squash::Saturation, Rule::Kosko);
    strict.tolerance = 0.0;
    assert_eq!(strict.relax(&at(1.0, 1.0), &FREE).1, Settling::FixedPoint { steps: 2 });
    slow.step_limit = 0;
    assert_eq!(slow.relax(&at(1.0, 1.0), &FREE), (at(1.0, 1.0), Settling::Unsettled));
}

#[test]
fn held_concepts_keep_their_value_and_influence_others() {
    let map = map([[0.0, 0.0], [0.5, 0.0]], Squash::Saturation, Rule::Kosko);
    let (end, settling) = map.relax(&at(0.8, 0.0), &[true, false]);
    assert_eq!((end, settling), (at(0.8, 0.4), Settling::FixedPoint { steps: 2 }));
}

#[test]
fn each_rule_computes_its_formula() {
    let links = [[0.0, 0.5], [-0.25, 0.0]];
    let now = at(0.4, 0.8);
    let step = |rule| map(links, Squash::Saturation, rule).step(&now, &FREE);
    let close = |a: Activation<2>, b: Activation<2>| (a - b).amax() < 1e-15;
    assert!(close(step(Rule::Kosko), at(0.4, -0.1)));
    assert!(close(step(Rule::ModifiedKosko), at(0.8, 0.7)));
    // 2c - 1 is (-0.2, 0.6)
    assert!(close(step(Rule::Rescaled), at(-0.2 + 0.3, 0.6 + 0.05)));
}

#[test]
fn unknown_concepts_stay_unknown_under_the_rescaled_rule() {
    let map = map([[0.0, 0.9], [-0.9, 0.0]], Squash::Logistic { slope: 1.0 }, Rule::Rescaled);
    let (end, settling) = map.relax(&at(0.5, 0.5), &FREE);
    assert_eq!((end, settling), (at(0.5, 0.5), Settling::FixedPoint { steps: 1 }));
}

#[test]
fn the_rescaled_rule_feels_nothing_without_perceptions() {
    let mut mind = held_mind();
    mind.map.rule = Rule::Rescaled;
    mind.map.squash = Squash::Logistic { slope: 5.0 };
    let relief = |perceived| mind.settle(&perceived).0[Concept::Relief as usize];
    assert!(relief(Activation::zeros()).abs() < 1e-12);
    let mut danger = Activation::zeros();
    danger[Concept::Safety as usize] = -1.0;
    assert!(relief(danger) < -0.5);
}

#[test]
fn the_articles_map_settles_from_all_perceptions_and_a_flipping_one_does_not() {
    assert_eq!(paper_mind().first_unsettled(), None);
    assert_eq!(held_mind().first_unsettled(), None);
    let mut flipping = paper_mind();
    let mobility = Concept::Mobility as usize;
    flipping.map.influence[(mobility, mobility)] = -1.0;
    let restless = flipping.first_unsettled().unwrap();
    assert_eq!(restless.settling, Settling::Cycle { period: 2 });
}

#[test]
fn fixed_concepts_are_fixed_in_the_map_but_still_perceived() {
    let mind = paper_mind();
    let appraisal = mind.appraise(&Chess::default(), Color::White, 100, None);
    let exposure = Concept::Exposure as usize;
    assert!(appraisal.perceived[exposure] > 0.1);
    assert!(appraisal.settled[exposure].abs() < 1e-300);
}

#[test]
fn an_unsettled_map_gives_no_emotion_after_any_previous_one() {
    let mut mind = held_mind();
    mind.map.step_limit = 1;
    mind.inertia = 0.5;
    mind.relevance.floor = Some(1.1);
    let appraisal = mind.appraise(&Chess::default(), Color::White, 100, Some(-1.0));
    assert_eq!(appraisal.settling, Settling::Unsettled);
    assert!(appraisal.intensity.abs() < 1e-300);
    assert_eq!(appraisal.ratios, deepfeeling::chess_mind::Ratios::NEUTRAL);
}

#[test]
fn inertia_applies_before_rounding_and_halves_round_away_from_zero() {
    let mut mind = held_mind();
    let felt = |mind: &deepfeeling::chess_mind::Mind, last| {
        mind.appraise(&Chess::default(), Color::White, 100, last).intensity
    };
    mind.steps = None;
    let plain = felt(&mind, None);
    mind.inertia = 0.25;
    assert!((felt(&mind, None) - plain).abs() < 1e-15);
    assert!((felt(&mind, Some(-1.0)) - (0.75 * plain - 0.25)).abs() < 1e-15);
    mind.inertia = 1.0;
    mind.steps = Some(2);
    for (last, rounded) in [(0.25, 0.5), (-0.25, -0.5), (0.24, 0.0), (-0.24, 0.0), (-0.8, -1.0)] {
        assert!((felt(&mind, Some(last)) - rounded).abs() < 1e-300, "{last}");
    }
}

#[test]
fn an_emotion_with_inertia_fades_even_in_coarse_steps() {
    let mut mind = held_mind();
    (mind.steps, mind.inertia) = (Some(4), 0.9);
    let mut last = Some(-1.0);
    let felt: Vec<f64> = (0..60)
        .map(|_| {
            let appraisal = mind.appraise(&Chess::default(), Color::White, 100, last);
            last = Some(appraisal.felt);
            appraisal.intensity
        })
        .collect();
    assert!(felt.is_sorted() && felt[0] <= -0.75, "{felt:?}");
    let rest = mind.appraise(&Chess::default(), Color::White, 100, None).intensity;
    assert!((felt[59] - rest).abs() < 1e-300, "{felt:?} {rest}");
}

/// A map of eight concepts as `[from][to]`, published with its results in two packages.
///
/// The packages are `fcm` for R by Dikopoulou and Papageorgiou (the example of `fcm.infer`,
/// <https://cran.r-project.org/package=fcm>) and `FCMpy` by Mkhitaryan et al.
/// (<https://pypi.org/project/fcmpy>). The documentation of `FCMpy`'s simulator prints every state.
const PUBLISHED: [[f64; 8]; 8] = [
    [0.0, 0.0, 0.6, 0.9, 0.0, 0.0, 0.0, 0.8],
    [0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.5],
    [0.0, 0.7, 0.0, 0.0, 0.9, 0.0, 0.4, 0.1],
    [0.4, 0.0, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, -0.9, 0.0, 0.3],
    [-0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.4, 0.9],
    [0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.6, 0.0],
];

/// The states that `FCMpy` prints under the modified Kosko rule, from the first step on.
const PUBLISHED_STEPS: [[f64; 8]; 6] = [
    [0.750_260, 0.731_059, 0.645_656, 0.710_950, 0.500_000, 0.500_000, 0.549_834, 0.785_835],
    [0.738_141, 0.765_490, 0.749_475, 0.799_982, 0.746_700, 0.769_999, 0.838_315, 0.921_361],
    [0.730_236, 0.784_168, 0.767_163, 0.812_191, 0.805_531, 0.829_309, 0.898_379, 0.950_172],
    [0.727_059, 0.789_378, 0.769_467, 0.812_967, 0.816_974, 0.838_759, 0.908_173, 0.954_927],
    [0.726_125, 0.790_510, 0.769_538, 0.812_650, 0.818_986, 0.839_860, 0.909_707, 0.955_666],
    [0.725_885, 0.790_706, 0.769_451, 0.812_473, 0.819_294, 0.839_901, 0.909_940, 0.955_774],
];

/// The final states of the R package under each rule, from the tests of `FCMpy` 0.0.21.
const PUBLISHED_ENDS: [(Rule, [f64; 8]); 3] = [
    (
        Rule::Kosko,
        [
            0.548_129_1,
            0.600_401_2,
            0.581_475_6,
            0.620_872_0,
            0.627_956_9,
            0.665_385_2,
            0.761_778_9,
            0.841_658_4,
        ],
    ),
    (
        Rule::ModifiedKosko,
        [
            0.725_885_1,
            0.790_706_1,
            0.769_450_8,
            0.812_473_3,
            0.819_293_8,
            0.839_900_6,
            0.909_940_3,
            0.955_773_9,
        ],
    ),
    (
        Rule::Rescaled,
        [
            0.499_842_7,
            0.498_517_4,
            0.498_947_4,
            0.498_421_2,
            0.498_093_8,
            0.488_554_1,
            0.485_565_1,
            0.485_326_6,
        ],
    ),
];

#[test]
fn a_published_map_gives_its_published_states() {
    let map = |rule| FuzzyCognitiveMap {
        influence: SMatrix::<f64, 8, 8>::from_fn(|to, from| PUBLISHED[from][to]),
        squash: Squash::Logistic { slope: 1.0 },
        rule,
        tolerance: 1e-3,
        step_limit: 50,
    };
    let mut start = Activation::zeros();
    (start[0], start[1]) = (1.0, 1.0);
    let (states, _, settling) = map(Rule::ModifiedKosko).relax_traced(&start, &[false; 8]);
    assert_eq!(settling, Settling::FixedPoint { steps: 6 });
    for (state, printed) in states[1..].iter().zip(PUBLISHED_STEPS) {
        assert!((state - Activation::from(printed)).amax() < 5.1e-7, "{state} for {printed:?}");
    }
    for (rule, printed) in PUBLISHED_ENDS {
        let (end, _) = map(rule).relax(&start, &[false; 8]);
        assert!((end - Activation::from(printed)).amax() < 5.1e-8, "{rule:?}: {end}");
    }
}

#[test]
fn the_articles_map_has_one_driver_and_one_receiver() {
    let map = paper_mind().map;
    // sums of the absolute weights in the rows and columns of table 2
    let outward = [0.5, 0.0, 0.5, 6.0, 2.75, 1.13, 3.0];
    let inward = [3.0, 3.38, 2.25, 0.0, 1.5, 2.5, 1.25];
    for concept in Concept::ALL {
        let i = concept as usize;
        assert!((map.out_degree(i) - outward[i]).abs() < 1e-12, "{concept:?}");
        assert!((map.in_degree(i) - inward[i]).abs() < 1e-12, "{concept:?}");
        let part = match concept {
            Concept::Material => ConceptRole::Driver,
            Concept::Relief => ConceptRole::Receiver,
            Concept::Desirability
            | Concept::Arousal
            | Concept::Mobility
            | Concept::Safety
            | Concept::Exposure => ConceptRole::Ordinary,
        };
        assert_eq!(map.part(i), part, "{concept:?}");
    }
    assert_eq!(map.links().count(), 20);
    assert!((map.density() - 20.0 / 49.0).abs() < 1e-15);
}

#[test]
fn the_map_has_one_fixed_point_with_held_perceptions_and_two_without() {
    // with the perceived concepts held, no loop is left
    let held = held_mind();
    let contraction = held.map.contraction(&held.held);
    assert_eq!(contraction.bound(), Some(0.0));
    // desirability 0.25 + 0.25 out, relief 0.25 + 0.5 in
    assert!((contraction.all.one - 0.5).abs() < 1e-15);
    assert!((contraction.all.infinity - 0.75).abs() < 1e-15);
    let perceived = [0.0, 0.0, 0.0, 0.5, -0.5, 0.0, -1.0];
    let felt = [[-1.0, 1.0, 1.0], [0.3, -0.2, 0.0], [1.0, 1.0, -1.0]];
    let starts =
        felt.map(|felt| Activation::from_fn(|i, _| felt.get(i).map_or(perceived[i], |f| *f)));
    let basins = held.map.basins(starts.into_iter(), &held.held);
    assert_eq!((basins.ends.len(), basins.ends[0].starts), (1, 3));

    // mobility and king safety have self-links of 0.5; with slope 5 the bound is 5 / 2 * 0.5 = 1.25
    let free = paper_mind();
    let exposure = Concept::ALL.map(|concept| concept == Concept::Exposure);
    let contraction = free.map.contraction(&exposure);
    assert_eq!(contraction.bound(), Some(1.25));
    assert!(!contraction.proves_one_rest());
    let starts = [0.7, -0.1, 0.2].map(|mobility| {
        let mut start = Activation::zeros();
        start[Concept::Mobility as usize] = mobility;
        start
    });
    let basins = free.map.basins(starts.into_iter(), &exposure);
    let relief: Vec<_> =
        basins.ends.iter().map(|end| (end.mean()[Concept::Relief as usize], end.starts)).collect();
    assert_eq!(relief.len(), 2, "{relief:?}");
    // the end of table 5 and its mirror image
    assert!((relief[0].0 - 0.986_541).abs() < 1e-6 && relief[0].1 == 2, "{relief:?}");
    assert!((relief[1].0 + 0.986_541).abs() < 1e-6 && relief[1].1 == 1, "{relief:?}");
}

/// Generates maps of four concepts with any rule, squash and slope.
fn any_map() -> impl Strategy<Value = FuzzyCognitiveMap<4>> {
    let squash = prop_oneof![
        (0.1..9.0).prop_map(|slope| Squash::BipolarLogistic { slope }),
        (0.1..9.0).prop_map(|slope| Squash::Tanh { slope }),
        (0.1..9.0).prop_map(|slope| Squash::Logistic { slope }),
        Just(Squash::Saturation),
        Just(Squash::Bivalent),
        Just(Squash::Trivalent),
    ];
    let rule = prop_oneof![Just(Rule::Kosko), Just(Rule::ModifiedKosko), Just(Rule::Rescaled)];
    (prop::array::uniform16(-1.0..1.0), squash, rule).prop_map(|(links, squash, rule)| {
        let influence = SMatrix::from_row_slice(&links);
        FuzzyCognitiveMap { influence, squash, rule, tolerance: 1e-6, step_limit: 200 }
    })
}

/// Makes proptest generate the same cases in every run.
fn config() -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(2012);
    ProptestConfig { cases: 300, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn activations_stay_in_bounds_and_relaxation_is_repeatable(
        map in any_map(),
        start in prop::array::uniform4(-1.0..=1.0),
        held in prop::array::uniform4(any::<bool>()),
    ) {
        let start = Activation::from(start);
        let (end, settling) = map.relax(&start, &held);
        prop_assert!(end.iter().all(|c| (-1.0..=1.0).contains(c)), "{end}");
        prop_assert_eq!((end, settling), map.relax(&start, &held));
        for i in (0..4).filter(|&i| held[i]) {
            prop_assert!((end[i] - start[i]).abs() < 1e-12);
        }
        if let Settling::FixedPoint { .. } = settling {
            prop_assert!((map.step(&end, &held) - end).amax() < 1e-3);
        }
    }

    #[test]
    fn all_starts_converge_where_one_fixed_point_is_proved(
        map in any_map(),
        held in prop::array::uniform4(any::<bool>()),
        starts in prop::array::uniform3(prop::array::uniform4(0.0..=1.0)),
    ) {
        let mut map = map;
        map.step_limit = 5000;
        let contraction = map.contraction(&held);
        let Norms { one, two, infinity } = contraction.all;
        let (smallest, _) = contraction.loops.smallest();
        prop_assert!(smallest <= one.min(two).min(infinity) + 1e-12);
        // far enough below 1 to converge within the step limit
        if contraction.bound().is_some_and(|bound| bound < 0.98) {
            // held concepts start from the same values, free ones from any
            let first = Activation::from(starts[0]);
            let starts = starts.map(|start| {
                Activation::from_fn(|i, _| if held[i] { first[i] } else { start[i] })
            });
            let basins = map.basins(starts.into_iter(), &held);
            prop_assert_eq!((basins.ends.len(), basins.unsettled), (1, 0));
            prop_assert_eq!(basins.ends[0].round.len(), 1);
        }
    }

    #[test]
    fn negated_starts_give_negated_results(start in prop::array::uniform7(-1.0..=1.0)) {
        let map = paper_mind().map;
        let start = Activation::from(start);
        let (end, settling) = map.relax(&start, &[false; Concept::COUNT]);
        prop_assert_eq!(map.relax(&-start, &[false; Concept::COUNT]), (-end, settling));
    }
}
