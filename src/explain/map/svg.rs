//! A profile's map as an SVG picture.
//!
//! Concepts lie on a circle. Links are arrows, wider if stronger, and coloured by sign.

use crate::{
    chess_mind::concept_name,
    mind::{analysis::Link, concept::Concept},
    profile::Profile,
};
use nalgebra::Vector2;
use std::{f64::consts::TAU, fmt::Write};

type Point = Vector2<f64>;

/// Width of the picture in pixels.
const WIDTH: f64 = 800.0;
/// Height of the picture in pixels.
const HEIGHT: f64 = 780.0;
/// Centre of the circle of concepts.
const CENTRE: Point = Point::new(WIDTH / 2.0, 385.0);
/// Distance from the centre of the circle to the centre of a concept.
const RADIUS: f64 = 265.0;
/// Distance from the centre of a concept to its edge.
const NODE: f64 = 46.0;
/// Width of a link of weight 1.
const WIDEST: f64 = 7.0;
/// Offset of a link's control points from the straight line, per unit of its length.
const BEND: f64 = 0.14;
/// Position of the weight along a link, 0 to 1. It lies near the start, since arrow heads crowd the
/// end.
const LABEL: f64 = 0.3;
/// Position of the weight along a link from a concept to itself.
const LOOP_LABEL: f64 = 0.5;

/// Styles for light and dark backgrounds; the viewer's preference decides.
const STYLE: &str = "\
.ground { fill: #ffffff } text { font: 15px sans-serif; fill: #1f2328; text-anchor: middle }
.title { font-size: 20px } .name { font-weight: bold; font-size: 13px }
.legend { font-size: 13px; text-anchor: start }
.node { fill: #f6f8fa; stroke: #57606a; stroke-width: 2 } .still { fill: #d0d7de }
.weight { font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
.line { fill: none } .idle { opacity: 0.45 } .idle .line { stroke-dasharray: 3 5 }
.raises .line { stroke: #0969da } .raises .head { fill: #0969da }
.lowers .line { stroke: #bc4c00 } .lowers .head { fill: #bc4c00 }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117 } text { fill: #e6edf3 } .weight { stroke: #0d1117 }
.node { fill: #161b22; stroke: #9198a1 } .still { fill: #3d444d }
.raises .line { stroke: #58a6ff } .raises .head { fill: #58a6ff }
.lowers .line { stroke: #ffa657 } .lowers .head { fill: #ffa657 }
}";

/// Returns the picture. `still` marks the concepts that are held or fixed.
pub(super) fn picture(profile: &Profile, still: [bool; Concept::COUNT]) -> String {
    let title = escaped(&profile.name);
    let links: Vec<_> = profile.mind.map.links().collect();
    let descriptions: Vec<_> = links.iter().map(|link| describe(*link)).collect();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">The map of {title}</title>\n<desc id=\"desc\">{}.</desc>\n\
         <style>\n{STYLE}\n</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"{}\" y=\"34\">The map of {title}</text>\n",
        descriptions.join("; "),
        WIDTH / 2.0
    );
    let arrows: Vec<_> = links.iter().map(|link| Arrow::of(*link)).collect();
    for (arrow, link) in arrows.iter().zip(&links) {
        arrow.draw(*link, still[link.to], &mut text);
    }
    for (arrow, link) in arrows.iter().zip(&links) {
        let at = if link.from == link.to { LOOP_LABEL } else { LABEL };
        let [x, y]: [f64; 2] = arrow.at(at).into();
        let weight = link.weight.to_string().replace('-', "−");
        add(
            &mut text,
            &format!("<text class=\"weight\" x=\"{x:.1}\" y=\"{:.1}\">{weight}</text>", y + 4.0),
        );
    }
    for concept in Concept::ALL {
        node(concept, still[concept as usize], &mut text);
    }
    legend(&mut text);
    text + "</svg>"
}

/// Describes a link in words, for screen readers.
fn describe(link: Link) -> String {
    let [from, to] = [link.from, link.to].map(|i| concept_name(Concept::ALL[i]));
    let verb = if link.weight < 0.0 { "lowers" } else { "raises" };
    let to = if link.from == link.to { "itself" } else { to };
    format!("{from} {verb} {to} by {}", link.weight.abs())
}

/// Returns the unit vector from the centre towards a concept. The first concept is at the top, the
/// others follow clockwise.
fn outward(concept: usize) -> Point {
    let turn = TAU * (f64::from(concept as u32) / f64::from(Concept::COUNT as u32) - 0.25);
    Point::new(turn.cos(), turn.sin())
}

fn middle(concept: usize) -> Point {
    CENTRE + RADIUS * outward(concept)
}

/// Turns a vector by 90 degrees clockwise on the screen.
fn turned(direction: Point) -> Point {
    Point::new(-direction.y, direction.x)
}

/// A cubic Bézier curve with an arrow head at its end.
struct Arrow {
    curve: [Point; 4],
    tip: Point,
    width: f64,
}

impl Arrow {
    fn of(link: Link) -> Self {
        let width = WIDEST * link.weight.abs().max(0.1);
        let (from, to) = (middle(link.from), middle(link.to));
        let [leave, enter] = if link.from == link.to {
            // draw the loop outside the circle, away from the concept's name
            let out = outward(link.from);
            [out + turned(out), out + 6.0 * turned(out)].map(|way| way.normalize())
        } else {
            let way = to - from;
            let bent = way / 2.0 + BEND * turned(way);
            [bent, bent - way].map(|way| way.normalize())
        };
        let reach = if link.from == link.to { 60.0 } else { (to - from).norm() / 3.0 - NODE / 2.0 };
        let tip = to + NODE * enter;
        let end = tip + Self::head(width) * enter;
        let start = from + NODE * leave;
        Self { curve: [start, start + reach * leave, end + reach * enter, end], tip, width }
    }

    /// Returns the length of the head of an arrow with this line width. The head is as wide as
    /// long.
    fn head(width: f64) -> f64 {
        7.0 + 1.3 * width
    }

    /// Returns the point of the curve at `t`, from 0 to 1.
    fn at(&self, t: f64) -> Point {
        let [start, leave, enter, end] = self.curve;
        let towards = |from: Point, to: Point| from + t * (to - from);
        let middle = towards(leave, enter);
        let first = towards(towards(start, leave), middle);
        towards(first, towards(middle, towards(enter, end)))
    }

    fn draw(&self, link: Link, idle: bool, text: &mut String) {
        let at = |point: Point| format!("{:.1} {:.1}", point.x, point.y);
        let class = if link.weight < 0.0 { "lowers" } else { "raises" };
        let idle = if idle { " idle" } else { "" };
        let base = self.curve[3];
        let side = turned((base - self.tip).normalize()) * Self::head(self.width) / 2.0;
        let [start, leave, enter, end] = self.curve.map(at);
        let [left, tip, right] = [base - side, self.tip, base + side].map(at);
        add(
            text,
            &format!(
                "<g class=\"{class}{idle}\"><title>{}</title><path class=\"line\" \
                 stroke-width=\"{:.2}\" d=\"M{start}C{leave} {enter} {end}\"/>\
                 <path class=\"head\" d=\"M{left}L{tip}L{right}Z\"/></g>",
                describe(link),
                self.width
            ),
        );
    }
}

/// Draws a concept with its name inside, one word per line.
fn node(concept: Concept, still: bool, text: &mut String) {
    let [x, y]: [f64; 2] = middle(concept as usize).into();
    let class = if still { "node still" } else { "node" };
    let corner = if concept.is_perceived() { 8.0 } else { NODE };
    add(
        text,
        &format!(
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{side}\" \
             height=\"{side}\" rx=\"{corner}\"/>",
            x - NODE,
            y - NODE,
            side = 2.0 * NODE
        ),
    );
    let words: Vec<_> = concept_name(concept).split('_').collect();
    for (line, word) in words.iter().enumerate() {
        let y = y + 5.0 + 16.0 * (f64::from(line as u32) - f64::from(words.len() as u32 - 1) / 2.0);
        add(text, &format!("<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\">{word}</text>"));
    }
}

fn legend(text: &mut String) {
    let lines = [
        (
            HEIGHT - 36.0,
            "Square: perceived from the board. Round: felt. Grey: held or fixed while the map \
             settles.",
        ),
        (
            HEIGHT - 16.0,
            "Blue raises, orange lowers, wider is stronger. Dashed: leads to a grey concept and \
             has no effect.",
        ),
    ];
    for (y, line) in lines {
        add(text, &format!("<text class=\"legend\" x=\"24\" y=\"{y}\">{line}</text>"));
    }
}

fn add(text: &mut String, element: &str) {
    // writing to a String cannot fail
    let _ = writeln!(text, "{element}");
}

/// Escapes text for XML. Control characters and the two code points that XML forbids become U+FFFD,
/// the replacement character.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
