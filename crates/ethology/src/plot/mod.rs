//! Figures as SVG text.
//!
//! Terms: a *band* is a shaded region around a line, usually a 95 % interval; a *row* is one group
//! of a figure that lists groups from top to bottom.
//!
//! Every figure carries a description for readers who cannot see it. Ink and grid take the colour
//! of the surrounding text (`currentColor`), so a figure reads on light and dark pages; series use
//! a palette that is told apart under the common kinds of colour blindness.
//!
//! What it does not do: no statistics; it draws the numbers it is given. It writes no file.

mod bouts;
mod budget;
mod canvas;
mod decimate;
mod distribution;
mod error;
mod forest;
mod frame;
mod heat_map;
mod histogram;
mod legend;
mod lives;
mod matrix;
mod palette;
mod panels;
mod path;
mod rows;
mod survival;
mod svg;
mod transitions;
mod xy;

pub use bouts::{BoutSeries, log_survivorship};
pub use budget::{BudgetBar, time_budget};
pub use decimate::decimate;
pub use distribution::{Group, distribution};
pub use error::PlotError;
pub use forest::{ForestRow, forest};
pub use heat_map::{HeatMap, heat_map};
pub use histogram::histogram;
pub use lives::{LifePoint, LivesSeries, lives};
pub use matrix::{Matrix, matrix};
pub use panels::{Panel, Panels, Shade, panels};
pub use path::{PathMap, path};
pub use survival::{SurvivalCurve, TimeAxis, kaplan_meier};
pub use svg::Svg;
pub use transitions::transition_matrix;
pub use xy::{BandPoint, Mark, Series, xy};
