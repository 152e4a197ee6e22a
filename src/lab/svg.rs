//! Draws figures as SVG. Each carries its own styles, so that it can also be saved as a file.

use std::fmt::Write;

/// Width of every figure in pixels.
pub(super) const WIDTH: f64 = 640.0;

/// Styles for light and dark backgrounds. Fear is a cold colour, relief a warm one.
const STYLE: &str = "\
svg { background: #fffefb } text { font: 13px system-ui, sans-serif; fill: #26232c }\n\
.quiet { fill: #625d69; font-size: 12px } .right { text-anchor: end } .middle { text-anchor: middle }\n\
.axis { stroke: #ddd7cc; fill: none } .ours { stroke: #26232c; stroke-width: 2; fill: none }\n\
.fear { stroke: #5145b5; fill: #5145b5 } .relief { stroke: #a34d0b; fill: #a34d0b } .bar { fill: #b3a896 }\n\
line.fear, line.relief { stroke-width: 2 } .quiet-line { stroke: #b3a896 } .before { stroke: #b3a896; stroke-dasharray: 3 3 }\n\
@media (prefers-color-scheme: dark) { svg { background: #1e1d25 } text { fill: #ece9f0 }\n\
.quiet { fill: #aaa5b4 } .axis { stroke: #37353f } .ours { stroke: #ece9f0 } .bar { fill: #5d5a69 } .quiet-line { stroke: #5d5a69 } .before { stroke: #5d5a69 }\n\
.fear { stroke: #a89eff; fill: #a89eff } .relief { stroke: #f3a85c; fill: #f3a85c } }";

/// Returns the figure `content` with a title for screen readers and a height in pixels.
pub(super) fn svg(title: &str, height: f64, content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n<style>{}</style>\n{content}</svg>\n",
        style()
    )
}

/// Returns the text of the style element of every figure.
pub(super) fn style() -> String {
    format!("\n{STYLE}\n")
}

/// Appends text at a place, escaped.
pub(super) fn text(out: &mut String, class: &str, [x, y]: [f64; 2], words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    // writing to a String cannot fail
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>");
}

/// Appends a straight line between two places.
pub(super) fn line(out: &mut String, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
    let _ = writeln!(
        out,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

/// Appends a dot.
pub(super) fn point(out: &mut String, class: &str, [x, y]: [f64; 2]) {
    let _ = writeln!(out, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
}
