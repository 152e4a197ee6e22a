//! A profile's map as a Graphviz graph.

use crate::{chess_mind::concept_name, mind::concept::Concept, profile::Profile};
use std::fmt::Write;

/// Returns the map as a directed graph in the DOT language.
///
/// Boxes are perceived concepts, ellipses felt ones. Filled concepts are held or fixed (`still`).
/// Dotted links have no effect, because they lead to a held or fixed concept.
pub(super) fn graph(profile: &Profile, still: [bool; Concept::COUNT]) -> String {
    let title = profile.name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!(
        "digraph map {{\n  graph [label=\"The map of {title}\", labelloc=t, rankdir=LR, \
         nodesep=0.4, ranksep=1.2];\n  node [fontname=\"sans-serif\", color=\"#57606a\"];\n  \
         edge [fontname=\"sans-serif\", fontsize=10];\n"
    );
    for concept in Concept::ALL {
        let name = concept_name(concept);
        let shape = if concept.is_perceived() { "box" } else { "ellipse" };
        let style = if still[concept as usize] { "filled" } else { "solid" };
        // writing to a String cannot fail
        let _ = writeln!(
            text,
            "  {name} [label=\"{}\", shape={shape}, style={style}, fillcolor=\"#eaeef2\"];",
            name.replace('_', " ")
        );
    }
    for link in profile.mind.map.links() {
        let [from, to] = [link.from, link.to].map(|i| concept_name(Concept::ALL[i]));
        let (weight, width) = (link.weight, 0.5 + 3.5 * link.weight.abs());
        let colour = if weight < 0.0 { "#bc4c00" } else { "#0969da" };
        let style = if still[link.to] { "dotted" } else { "solid" };
        let _ = writeln!(
            text,
            "  {from} -> {to} [label=\"{weight}\", penwidth={width:.2}, color=\"{colour}\", \
             style={style}];"
        );
    }
    text + "}"
}
