//! The numbers printed in the article. Nothing here is computed.
//!
//! Source: Laureano-Cruces, Hernández-González, Mora-Torres, Ramírez-Rodríguez, Revista de
//! Matemática: Teoría y Aplicaciones 19(2), 2012, DOI 10.15517/rmta.v19i2.1335. The project has a
//! partial copy of the tables: nine rows of table 5, and the totals and the cells of one leaf of
//! table 6.

use crate::mind::concept::Concept;

pub use crate::mind::standard::LINKS;

/// The steepness of the bipolar logistic function.
pub const SLOPE: f64 = 5.0;

/// Table 3: symbol, start, end and size of the range of each measure.
pub const RANGES: [(&str, f64, f64, f64); 4] = [
    ("BM", -4075.0, 4075.0, 8150.0),
    ("Mov", 0.0, 137.0, 137.0),
    ("SegR", -115.5, 64.0, 179.5),
    ("IndROp", -64.0, 115.5, 179.5),
];

/// Table 3: the sum of all four range sizes.
pub const TOTAL_RANGE: f64 = 8646.0;

/// Table 5: the activations at t = 0.
pub const START: [f64; Concept::COUNT] = [0.0, 0.0, 0.0, 0.0, -1.0, -1.0, 0.0];

/// Table 5: the time step and its activations.
pub const RUN: [(u32, [f64; Concept::COUNT]); 9] = [
    (1, [-0.986_614, -0.917_817, 0.0, 0.0, -0.848_284, -0.998_894, 0.0]),
    (2, [-0.980_447, -0.964_143, -0.548_780, 0.0, -0.785_800, -0.997_634, 0.0]),
    (3, [-0.977_108, -0.989_141, -0.546_081, 0.0, -0.754_038, -0.996_758, 0.0]),
    (4, [-0.975_186, -0.988_114, -0.544_614, 0.0, -0.736_391, -0.996_193, 0.0]),
    (5, [-0.974_045, -0.987_501, -0.543_769, 0.0, -0.726_128, -0.995_836, 0.0]),
    (10, [-0.972_421, -0.986_626, -0.542_594, 0.0, -0.711_795, -0.995_303, 0.0]),
    (15, [-0.972_277, -0.986_548, -0.542_491, 0.0, -0.710_537, -0.995_254, 0.0]),
    (20, [-0.972_264, -0.986_541, -0.542_482, 0.0, -0.710_423, -0.995_250, 0.0]),
    (25, [-0.972_263, -0.986_541, -0.542_481, 0.0, -0.710_413, -0.995_249, 0.0]),
];

/// The time step of table 5 at which the map has settled: the first change below [`SETTLED_BELOW`].
pub const SETTLED_AT: u32 = 25;

/// The limit for the largest change of any activation in a settled map.
pub const SETTLED_BELOW: f64 = 1e-6;

/// The emotional intensity used in table 6: Aliv in the last row of table 5.
pub const INTENSITY: f64 = -0.986_541;

/// The relevance factors of `escape_check`: material, mobility, king safety, king exposure.
pub const FACTORS: [f64; 4] = [1.35, -25.62, -39.86, -2.01];

/// A leaf of the article's worked example.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Material in centipawns, mobility in squares, king safety and king exposure in points.
    ///
    /// The article prints the opponent's king *safety* in the last column. The exposure stored here
    /// is its negative.
    pub measures: [f64; 4],
    /// Table 4: the sum of the measures.
    pub plain: f64,
    /// Table 6: the weighted sum by eq. 7 at [`INTENSITY`].
    pub felt: f64,
}

const fn leaf(measures: [f64; 4], plain: f64, felt: f64) -> Leaf {
    Leaf { measures, plain, felt }
}

/// The leaves of tables 4 and 6.
pub const LEAVES: [Leaf; 11] = [
    leaf([-75.0, 35.0, -28.75, 44.0], -24.75, -83.23),
    leaf([-75.0, 37.0, -36.0, 45.5], -28.5, -318.53),
    leaf([-75.0, 34.0, -25.25, 44.0], -22.25, 31.62),
    leaf([-75.0, 38.0, -26.5, 45.5], -18.0, 90.79),
    leaf([-75.0, 39.0, -48.5, 45.25], -39.25, -770.75),
    leaf([425.0, 40.0, -43.25, 47.25], 469.0, -694.11),
    leaf([-75.0, 29.0, -51.0, 44.5], -52.5, -1136.52),
    leaf([425.0, 34.0, -45.75, 45.75], 459.0, -957.03),
    leaf([-75.0, 37.0, -26.75, 50.5], -14.25, 69.36),
    leaf([900.0, 37.0, 0.75, 44.25], 982.0, 833.31),
    leaf([-75.0, 30.0, -26.75, 44.75], -27.0, -131.72),
];

/// Table 6: the weighted measures of leaf 1.
pub const FIRST_LEAF: [f64; 4] = [25.09, 919.57, -1159.23, 131.33];

/// The move chosen without emotion: the winning, offensive move.
pub const WITHOUT_EMOTION: &str = "Kf8";

/// The move chosen with emotion: the defensive move.
pub const WITH_EMOTION: &str = "Kh8";
