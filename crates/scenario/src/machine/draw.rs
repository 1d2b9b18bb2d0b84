//! Machines as diagrams: Mermaid and DOT.

use core::fmt::Write as _;

use crate::machine::{Machine, MachineStateSpec};

/// Seconds without needless digits.
fn seconds(s: f64) -> String {
    format!("{s} s")
}

/// Text that ends no quoted label.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "'").replace(['\n', '\r'], " ")
}

impl Machine {
    /// Every arrow: from, to, words.
    fn arrows(&self) -> Vec<(&str, &str, String)> {
        let name = |i: u8| self.states.get(usize::from(i)).map_or("", |s| s.name.as_str());
        let mut arrows = Vec::new();
        for state in &self.states {
            for way in &state.leave {
                let mut words = self.guard(way);
                if way.event.is_none() && state.minimum_s > 0.0 {
                    let _ = write!(words, ", after {} at least", seconds(state.minimum_s));
                }
                arrows.push((state.name.as_str(), name(way.to), words));
            }
            if let Some((s, to)) = state.limit {
                arrows.push((&state.name, name(to), format!("after {}", seconds(s))));
            }
        }
        arrows
    }

    fn final_states(&self) -> impl Iterator<Item = &MachineStateSpec> {
        self.states.iter().filter(|s| s.is_final)
    }

    /// The machine as a Mermaid state diagram.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("stateDiagram-v2\n");
        if let Some(start) = self.states.get(usize::from(self.start)) {
            let _ = writeln!(out, "    [*] --> {}", start.name);
        }
        for (from, to, words) in self.arrows() {
            let _ = writeln!(out, "    {from} --> {to}: {}", label(&words).replace(':', " "));
        }
        for state in self.final_states() {
            let _ = writeln!(out, "    {} --> [*]", state.name);
        }
        out
    }

    /// The machine as a DOT graph, for Graphviz.
    pub fn dot(&self) -> String {
        let mut out = format!("digraph \"{}\" {{\n    rankdir=LR;\n", label(&self.name));
        for (i, state) in self.states.iter().enumerate() {
            let shape = if state.is_final { "doublecircle" } else { "ellipse" };
            let style = if i == usize::from(self.start) { ", style=bold" } else { "" };
            let tip = label(&state.about);
            let _ =
                writeln!(out, "    \"{}\" [shape={shape}{style}, tooltip=\"{tip}\"];", state.name);
        }
        for (from, to, words) in self.arrows() {
            let _ = writeln!(out, "    \"{from}\" -> \"{to}\" [label=\"{}\"];", label(&words));
        }
        out.push_str("}\n");
        out
    }
}
