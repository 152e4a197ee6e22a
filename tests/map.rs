//! Known maps and how they settle: rest, rounds, neither; bounds, held concepts, rules.

mod minds;

use deepfeeling::mind::{
    concept::Concept,
    fcm::{Activation, FuzzyCognitiveMap, Rule, Settling, Squash},
};
use minds::{held_mind, paper_mind};
use nalgebra::SMatrix;
use proptest::{prelude::*, test_runner::RngSeed};
use shakmaty::{Chess, Color};

const FREE: [bool; 2] = [false; 2];

/// A map of two concepts: what each takes from the first and from the second.
fn map(links: [[f64; 2]; 2], squash: Squash, rule: Rule) -> FuzzyCognitiveMap<2> {
    let influence = SMatrix::from_fn(|to, from| links[to][from]);
    FuzzyCognitiveMap { influence, squash, rule, tolerance: 1e-9, step_limit: 500 }
}

fn at(first: f64, second: f64) -> Activation<2> {
    Activation::from([first, second])
}

#[test]
fn a_weak_map_fades_to_rest() {
    let map = map([[0.0, 0.3], [0.3, 0.0]], Squash::Tanh { slope: 1.0 }, Rule::Kosko);
    let (end, settling) = map.relax(&at(1.0, -1.0), &FREE);
    assert!(end.amax() < 1e-8, "{end}");
    assert!(matches!(settling, Settling::FixedPoint { steps } if steps > 5));
}

#[test]
fn rest_counts_the_step_that_changed_nothing() {
    let map = map([[0.0, 1.0], [0.0, 0.0]], Squash::Saturation, Rule::Kosko);
    // (0, 1) -> (1, 0) -> (0, 0) -> (0, 0)
    let (states, end, settling) = map.relax_traced(&at(0.0, 1.0), &FREE);
    assert_eq!(settling, Settling::FixedPoint { steps: 3 });
    assert_eq!(states, [at(0.0, 1.0), at(1.0, 0.0), at(0.0, 0.0), at(0.0, 0.0)]);
    assert_eq!((end, settling), map.relax(&at(0.0, 1.0), &FREE));
}

#[test]
fn exact_returns_are_rounds_and_give_their_mean() {
    let swap = [[0.0, 1.0], [1.0, 0.0]];
    let (end, settling) = map(swap, Squash::Trivalent, Rule::Kosko).relax(&at(1.0, -1.0), &FREE);
    assert_eq!((end, settling), (at(0.0, 0.0), Settling::Cycle { period: 2 }));
    let (end, settling) = map(swap, Squash::Bivalent, Rule::Kosko).relax(&at(1.0, 0.0), &FREE);
    assert_eq!((end, settling), (at(0.5, 0.5), Settling::Cycle { period: 2 }));
    // a quarter turn each step: four states
    let turn = map([[0.0, -1.0], [1.0, 0.0]], Squash::Trivalent, Rule::Kosko);
    assert_eq!(turn.relax(&at(1.0, 0.0), &FREE).1, Settling::Cycle { period: 4 });
}

#[test]
fn a_round_is_found_at_once() {
    let mut swap = map([[0.0, 1.0], [1.0, 0.0]], Squash::Trivalent, Rule::Kosko);
    swap.step_limit = 3;
    assert_eq!(swap.relax(&at(1.0, -1.0), &FREE).1, Settling::Cycle { period: 2 });
    // steps into the round first: the memory is renewed until it lies inside
    let (states, _, settling) = swap.relax_traced(&at(0.7, -0.2), &FREE);
    assert_eq!(settling, Settling::Cycle { period: 2 });
    assert!(states.len() <= 4);
}

#[test]
fn a_round_that_never_closes_exactly_is_found_at_the_limit() {
    // each flips the other's sign and shrinks towards a flip of constant size
    let flip = map([[0.0, -2.0], [-2.0, 0.0]], Squash::Tanh { slope: 1.0 }, Rule::Kosko);
    let mut short = flip.clone();
    short.step_limit = 25;
    short.tolerance = 1e-6;
    let (end, settling) = short.relax(&at(0.5, 0.4), &FREE);
    assert_eq!(settling, Settling::Cycle { period: 2 });
    assert!(end.amax() < 1e-3, "{end}");
}

#[test]
fn a_turn_without_end_is_unsettled() {
    // a rotation by one radian: no number of steps returns to the start
    let (sin, cos) = (libm::sin(1.0), libm::cos(1.0));
    let turn = map([[cos, -sin], [sin, cos]], Squash::Saturation, Rule::Kosko);
    let (_, settling) = turn.relax(&at(0.3, 0.0), &FREE);
    assert_eq!(settling, Settling::Unsettled);
}

#[test]
fn rest_that_comes_too_late_is_unsettled() {
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
fn held_concepts_keep_their_value_and_still_act() {
    let map = map([[0.0, 0.0], [0.5, 0.0]], Squash::Saturation, Rule::Kosko);
    let (end, settling) = map.relax(&at(0.8, 0.0), &[true, false]);
    assert_eq!((end, settling), (at(0.8, 0.4), Settling::FixedPoint { steps: 2 }));
}

#[test]
fn each_rule_is_its_formula() {
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
fn nothing_known_stays_unknown_in_a_rescaled_map() {
    let map = map([[0.0, 0.9], [-0.9, 0.0]], Squash::Logistic { slope: 1.0 }, Rule::Rescaled);
    let (end, settling) = map.relax(&at(0.5, 0.5), &FREE);
    assert_eq!((end, settling), (at(0.5, 0.5), Settling::FixedPoint { steps: 1 }));
}

#[test]
fn a_rescaled_mind_feels_nothing_where_nothing_is_known() {
    let mut mind = held_mind();
    mind.map.rule = Rule::Rescaled;
    mind.map.squash = Squash::Logistic { slope: 5.0 };
    let relief = |perceived| mind.settle(&perceived).0[Concept::Relief as usize];
    assert!(relief(Activation::zeros()).abs() < 1e-12);
    let mut danger = Activation::zeros();
    danger[Concept::KingSafety as usize] = -1.0;
    assert!(relief(danger) < -0.5);
}

#[test]
fn the_articles_map_rests_from_everywhere_and_a_flipping_one_does_not() {
    assert_eq!(paper_mind().first_restless(), None);
    assert_eq!(held_mind().first_restless(), None);
    let mut flipping = paper_mind();
    let mobility = Concept::Mobility as usize;
    flipping.map.influence[(mobility, mobility)] = -1.0;
    let restless = flipping.first_restless().unwrap();
    assert_eq!(restless.settling, Settling::Cycle { period: 2 });
}

#[test]
fn fixed_concepts_are_fixed_in_the_map_and_perceived_as_they_are() {
    let mind = paper_mind();
    let appraisal = mind.appraise(&Chess::default(), Color::White, 100, None);
    let exposure = Concept::KingExposure as usize;
    assert!(appraisal.perceived[exposure] > 0.1);
    assert!(appraisal.settled[exposure].abs() < 1e-300);
}

#[test]
fn an_unsettled_mind_feels_nothing_whatever_it_felt_before() {
    let mut mind = held_mind();
    mind.map.step_limit = 1;
    mind.inertia = 0.5;
    mind.relevance.floor = Some(1.1);
    let appraisal = mind.appraise(&Chess::default(), Color::White, 100, Some(-1.0));
    assert_eq!(appraisal.settling, Settling::Unsettled);
    assert!(appraisal.intensity.abs() < 1e-300);
    assert_eq!(appraisal.ratios, deepfeeling::mind::relevance::Ratios::NEUTRAL);
}

#[test]
fn inertia_mixes_before_rounding_and_halves_go_away_from_zero() {
    let mut mind = held_mind();
    let felt = |mind: &deepfeeling::mind::Mind, last| {
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

/// The rule, squash and slope of any map.
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

/// The same cases every time.
fn config() -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(2012);
    ProptestConfig { cases: 300, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn activations_stay_in_bounds_and_relaxation_repeats(
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
    fn odd_maps_mirror_fear_and_relief(start in prop::array::uniform7(-1.0..=1.0)) {
        let map = paper_mind().map;
        let start = Activation::from(start);
        let (end, settling) = map.relax(&start, &[false; Concept::COUNT]);
        prop_assert_eq!(map.relax(&-start, &[false; Concept::COUNT]), (-end, settling));
    }
}
