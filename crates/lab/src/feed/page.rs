//! The HTML report of a fed recording.

use tropism_ethology::plot::Svg;
use tropism_ethology::report::Report;
use tropism_ethology::table::{Cell, Column, Kind, Table, TableError};

use super::report::{FeedReport, estimate};
use super::segments::{Estimate, Measure};

pub(super) fn page(report: &FeedReport, figure: &Svg) -> String {
    let name = report.input.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
    let caption = "What was recorded and what the mind made of it. Turns and doorways are marked \
                   from the recording itself: turn rate of at least 0.15 rad/s; a side range that \
                   changes by at least 2 m between two scans without a turn. Drives that \
                   stayed 0 are left out.";
    let mut page = Report::new(&format!("{name} fed to an organism"))
        .section("Over time")
        .figure(figure, caption);
    if let Ok(table) = table(report)
        && !report.kinds.is_empty()
    {
        let caption = "Mean and bootstrap 95 % interval over segments. Lower part: difference of \
                       the means from the corridor.";
        page = page.section("By what the robot was doing").table(&table, caption);
    }
    page.section("Counts").code(&report.to_string()).render()
}

fn table(report: &FeedReport) -> Result<Table, TableError> {
    let mut columns = vec![
        Column::new("kind", Kind::Text),
        Column::new("segments", Kind::Text),
        Column::new("seconds", Kind::Text),
    ];
    columns.extend(Measure::ALL.map(|measure| Column::new(measure.name(), Kind::Text)));
    let mut table = Table::new(columns)?;
    let mut push = |kind: String, n: String, seconds: String, values: &[Estimate; 5]| {
        let mut row: Vec<Cell<'_>> = vec![kind.into(), n.into(), seconds.into()];
        row.extend(values.iter().map(|value| Cell::from(estimate(value))));
        table.push(&row)
    };
    for kind in &report.kinds {
        let (n, seconds) = (kind.segments.to_string(), format!("{:.0}", kind.seconds));
        push(kind.kind.name().into(), n, seconds, &kind.means)?;
    }
    for contrast in &report.contrasts {
        let name = format!("{} less corridor", contrast.kind.name());
        push(name, String::new(), String::new(), &contrast.differences)?;
    }
    Ok(table)
}
