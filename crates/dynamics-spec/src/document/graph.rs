//! The network as a drawing: layers as bands, behaviours and actuators as boxes, uses and pulls as
//! lines.

use super::escape;
use crate::compiled::Compiled;
use core::fmt::Write as _;

const BOX: (f64, f64) = (110.0, 34.0);
const BAND: f64 = 190.0;
const GAP: f64 = 24.0;

/// Centre of the n-th of `count` boxes in a row.
fn centre(n: usize, count: usize, width: f64) -> f64 {
    width * (n as f64 + 0.5) / count.max(1) as f64
}

fn draw_box(svg: &mut String, (x, y): (f64, f64), label: &str, fill: &str) {
    let (w, h) = BOX;
    let _ = writeln!(
        svg,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"{fill}\" \
         stroke=\"#555\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
         font-size=\"13\">{}</text>",
        x - w / 2.0,
        y - h / 2.0,
        y + 4.5,
        escape(label)
    );
}

fn draw_line(svg: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
        from.0, from.1, to.0, to.1
    );
}

/// The drawing as an SVG element, the top layer on top.
pub(super) fn svg(compiled: &Compiled) -> String {
    let names = &compiled.names;
    let layers = names.layers.len();
    let in_layer = |list: &[crate::compiled::Channel], layer: usize| -> Vec<usize> {
        (0..list.len()).filter(|i| list[*i].layer == layer).collect()
    };
    let rows = (0..layers)
        .flat_map(|z| [in_layer(&names.behaviours, z).len(), in_layer(&names.actuators, z).len()]);
    let widest = rows.chain([names.modes.len(), 4]).max().unwrap_or(4);
    let width = widest as f64 * (BOX.0 + GAP);
    let height = layers as f64 * BAND + 70.0;
    let top = |layer: usize| 70.0 + (layers - 1 - layer) as f64 * BAND;
    // Place of a behaviour or actuator by its index among all.
    let place = |list: &[crate::compiled::Channel], index: usize, y: f64| {
        let layer = list[index].layer;
        let row = in_layer(list, layer);
        let n = row.iter().position(|i| *i == index).unwrap_or(0);
        (centre(n, row.len(), width), top(layer) + y)
    };
    let behaviour = |index: usize| place(&names.behaviours, index, 50.0);
    let actuator = |index: usize| place(&names.actuators, index, 135.0);
    let mode = |n: usize| (centre(n, names.modes.len(), width), 35.0);
    let mut svg = format!("<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n");
    for (layer, name) in names.layers.iter().enumerate() {
        let y = top(layer) + 4.0;
        let _ = writeln!(
            svg,
            "<rect x=\"2\" y=\"{y}\" width=\"{:.0}\" height=\"{:.0}\" fill=\"#fafafa\" \
             stroke=\"#ddd\"/><text x=\"10\" y=\"{}\" font-size=\"12\" fill=\"#777\">{}</text>",
            width - 4.0,
            BAND - 8.0,
            y + 16.0,
            escape(name)
        );
    }
    for user in &names.users {
        let layer = names.behaviours[user.behaviour].layer;
        let to = behaviour(user.behaviour);
        let is_user = |i: &usize| {
            let b = &names.behaviours[*i];
            b.layer == layer + 1 && b.name == user.name
        };
        let from = (0..names.behaviours.len()).find(is_user).map(behaviour);
        let from = from.or_else(|| names.modes.iter().position(|m| m.name == user.name).map(mode));
        if let Some(from) = from {
            draw_line(&mut svg, from, to, "stroke=\"#36c\" stroke-width=\"1.4\"");
        }
    }
    for target in &names.targets {
        let (from, to) = (behaviour(target.behaviour), actuator(target.actuator));
        draw_line(&mut svg, from, to, "stroke=\"#c63\" stroke-width=\"1.4\"");
    }
    (0..names.modes.len()).for_each(|n| draw_box(&mut svg, mode(n), &names.modes[n].name, "#eee"));
    for (index, channel) in names.behaviours.iter().enumerate() {
        draw_box(&mut svg, behaviour(index), &channel.name, "#dce8ff");
    }
    for (index, channel) in names.actuators.iter().enumerate() {
        draw_box(&mut svg, actuator(index), &channel.name, "#ffe6d5");
    }
    svg.push_str(
        "</svg>\n<p>Blue: uses (T-terms), from a mode or a behaviour above. Orange: targets. An \
         actuator of an upper layer is read by percepts and targets of the layer below it.</p>",
    );
    svg
}
