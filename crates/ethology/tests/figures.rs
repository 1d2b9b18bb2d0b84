//! Goal: no figure panics, hangs or writes a broken number, whatever it is given.
//! Method: random data with special values, every kind of figure.

use proptest::prelude::*;
use tropism_ethology::plot::{
    BandPoint, ForestRow, Group, HeatMap, LifePoint, LivesSeries, Mark, Panel, Panels, PlotError,
    Series, Shade, SurvivalCurve, Svg, TimeAxis, distribution, forest, heat_map, histogram,
    kaplan_meier, lives, panels, xy,
};
use tropism_ethology::statistics::Interval;
use tropism_ethology::survival::{KaplanMeier, Lifespan};

fn sound(figure: &Result<Svg, PlotError>) {
    match figure {
        Ok(svg) => {
            let drawn = svg.as_str().split_once("</desc>").expect("a description").1;
            for bad in ["NaN", "inf"] {
                assert!(!drawn.contains(bad), "`{bad}` in {drawn}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn number() -> impl Strategy<Value = f64> {
    let special = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324, 1e99];
    prop_oneof![
        6 => -1e3_f64..1e3,
        1 => any::<f64>(),
        1 => proptest::sample::select(special.to_vec()),
    ]
}

fn numbers(most: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(number(), 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn swarm_lines_points_and_panels(x in numbers(12), y in numbers(12), wide in number()) {
        let points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
        let band: Vec<BandPoint> = points.iter().map(|p| (p.0, p.1 - wide, p.1 + wide)).collect();
        let series = |mark| Series { name: "a", points: &points, band: &band, mark };
        sound(&xy(&[series(Mark::LineAndPoints), series(Mark::Points)], "x", "y"));
        let panel = Panel { y_label: "y", series: vec![series(Mark::Line)], y: Some((wide, 1.0)) };
        let shade = Shade { name: "s", from: wide, to: *x.first().unwrap_or(&0.0) };
        sound(&panels(&Panels { panels: vec![panel], shades: vec![shade], x_label: "t" }));
    }

    #[test]
    fn swarm_groups_and_rows(values in numbers(20), low in number(), high in number()) {
        sound(&distribution(&[Group { name: "g", values: &values }], "x"));
        sound(&histogram(&values, values.len(), "x"));
        let interval = Some(Interval { low, high });
        let row = |mean: &f64| ForestRow { name: "r", mean: *mean, interval };
        sound(&forest(&values.iter().map(row).collect::<Vec<_>>(), "x", Some(low)));
        let point = |(life, mean): (u32, &f64)| LifePoint { life, mean: *mean, interval };
        let points: Vec<LifePoint> = (0..).zip(&values).map(point).collect();
        sound(&lives(&[LivesSeries { name: "l", points: &points }], "y"));
    }

    #[test]
    fn swarm_maps_and_curves(values in numbers(20), columns in 0_usize..5, end in number()) {
        let map = HeatMap {
            columns,
            values: &values,
            x: (0.0, end),
            y: (-1.0, 1.0),
            x_label: "x",
            y_label: "y",
            value_label: "v",
        };
        sound(&heat_map(&map));
        let life = |(n, t): (usize, &f64)| match n % 2 {
            0 => Lifespan::died(0, *t),
            _ => Lifespan::censored(0, *t),
        };
        let curve = KaplanMeier::fit(&values.iter().enumerate().map(life).collect::<Vec<_>>());
        let axis = TimeAxis { label: "t", scale: 0.5 };
        sound(&kaplan_meier(&[SurvivalCurve { name: "c", curve: &curve }], axis));
    }
}
