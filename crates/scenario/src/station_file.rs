//! Charging stations of world files.

use tropism_world::station::{Cue, Funnel, LedPattern, Radio, StationSpec};

use crate::reader::Reader;
use crate::schema::{FAR, Key, Kind, ROUND, TINY, Table};

const CURRENT: (f32, f32) = (0.0, 1000.0);
const SHARE: (f32, f32) = (0.0, 1.0);

static FUNNEL: Table = Table {
    name: "funnel",
    about: "Side walls that lead to the contact.",
    keys: &[
        Key::number("throat_m", "m", (0.0, 10.0), "Half width at the contact.")
            .or(Funnel::REFERENCE.throat_m),
        Key::number("reach_m", "m", (0.0, 10.0), "Depth at which it opens.")
            .or(Funnel::REFERENCE.reach_m),
        Key::number("behind_m", "m", (0.0, 10.0), "How far it goes on behind the contact.")
            .or(Funnel::REFERENCE.behind_m),
        Key::number("outer_m", "m", (0.0, 10.0), "Offset beyond which a robot passes outside.")
            .or(Funnel::REFERENCE.outer_m),
    ],
};

static CUE: Table = Table {
    name: "cue",
    about: "What a station shows and sounds in one state.",
    keys: &[
        Key::number("half_period_s", "s", (0.0, 3600.0), "Half period of the lamp; 0 is steady.")
            .or(0.0),
        Key::number("high", "1", SHARE, "Brightness share in the first half.").or(1.0),
        Key::number("low", "1", SHARE, "Brightness share in the second half.").or(1.0),
        Key::number("click_every_s", "s", (0.0, 3600.0), "Seconds between clicks; 0 is silent.")
            .or(0.0),
    ],
};

static RADIO: Table = Table {
    name: "radio",
    about: "Radio beacon of a station.",
    keys: &[
        Key::number("power_dbm", "dBm", (-200.0, 100.0), "Power at 1 m.")
            .or(StationSpec::REFERENCE.radio.power_dbm),
        Key::number("slope_db", "dB", (0.0, 200.0), "Loss per decade of distance.")
            .or(StationSpec::REFERENCE.radio.slope_db),
        Key::number("shadow_db", "dB", (0.0, 100.0), "Standard deviation of the shadow.")
            .or(StationSpec::REFERENCE.radio.shadow_db),
    ],
};

/// One charging station.
pub(crate) static STATION: Table = Table {
    name: "station",
    about: "A charging station; keys left out are those of its `like`.",
    keys: &[
        Key::choice(
            "like",
            &["mains", "reference"],
            "mains",
            "`mains` feeds the load and has cues that follow its state; `reference` has neither.",
        ),
        Key::point("contact_m", "Where the centre of a docked robot is."),
        Key::number(
            "facing_rad",
            "rad",
            (-ROUND, ROUND),
            "Direction from the contact into the room.",
        ),
        Key::switch("has_funnel", true, "False removes the side walls."),
        Key::may("funnel", Kind::Table(&FUNNEL), "Shape of the side walls."),
        Key::number("contact_radius_m", "m", (TINY, 10.0), "Distance below which current flows.")
            .optional(),
        Key::number("charge_current_a", "A", CURRENT, "Largest current into the battery.")
            .optional(),
        Key::number("taper_from", "1", (0.0, 0.999), "Charge share above which it falls off.")
            .optional(),
        Key::number("supply_a", "A", CURRENT, "Largest current for load and battery together.")
            .optional(),
        Key::number("full_from", "1", SHARE, "Charge share at which FULL can be entered.")
            .optional(),
        Key::number("full_current_a", "A", CURRENT, "Battery current below which FULL is entered.")
            .optional(),
        Key::number("resume_below", "1", SHARE, "Charge share below which FULL is left.")
            .optional(),
        Key::number("led", "1", (0.0, 1e6), "Irradiance factor of the lamp.").optional(),
        Key::number("led_softening_m2", "m²", (1e-6, 1e6), "Softening of the lamp.").optional(),
        Key::number("click_level", "1", (0.0, 1e3), "Sound level of a click.").optional(),
        Key::number("click_half_m", "m", (TINY, FAR), "Distance at which a click is half as loud.")
            .optional(),
        Key::may("idle", Kind::Table(&CUE), "Cue while nobody charges."),
        Key::may("charging", Kind::Table(&CUE), "Cue while a battery is charged."),
        Key::may("full", Kind::Table(&CUE), "Cue when the docked battery is full."),
        Key::may("radio", Kind::Table(&RADIO), "Radio beacon."),
        Key::switch("is_on", true, "False when it starts switched off."),
    ],
};

fn cue(r: &Reader<'_>) -> Cue {
    Cue {
        led: LedPattern {
            half_period_s: r.number("half_period_s"),
            high: r.number("high"),
            low: r.number("low"),
        },
        click_every_s: r.number("click_every_s"),
    }
}

fn funnel(r: &Reader<'_>) -> Funnel {
    let funnel = Funnel {
        throat_m: r.number("throat_m"),
        reach_m: r.number("reach_m"),
        behind_m: r.number("behind_m"),
        outer_m: r.number("outer_m"),
    };
    if funnel.outer_m < funnel.reach_m + funnel.throat_m - 1e-6 {
        let what = format!("`outer_m` = {} lies inside the funnel's mouth", funnel.outer_m);
        let least = funnel.reach_m + funnel.throat_m;
        r.fault("outer_m", what, format!("give at least reach_m + throat_m = {least} m"));
    }
    funnel
}

fn check(r: &Reader<'_>, station: &StationSpec) {
    if station.resume_below > station.full_from {
        let what = format!(
            "`resume_below` = {} lies above `full_from` = {}",
            station.resume_below, station.full_from
        );
        r.fault("resume_below", what, "FULL must be left below the share at which it is entered");
    }
}

/// Lowers a station.
pub(crate) fn read(r: &Reader<'_>) -> StationSpec {
    let (contact, facing_rad) = (r.point("contact_m"), r.number("facing_rad"));
    let base = match r.text("like") {
        "reference" => StationSpec { contact, facing_rad, ..StationSpec::REFERENCE },
        _ => StationSpec::mains(contact, facing_rad),
    };
    let or = |key: &str, base: f32| r.maybe_number(key).unwrap_or(base);
    let mut cues = base.cues;
    for (key, slot) in ["idle", "charging", "full"].into_iter().zip(&mut cues) {
        if let Some(table) = r.table(key) {
            *slot = cue(&table);
        }
    }
    let walls = r.table("funnel").as_ref().map(funnel).or(base.funnel);
    let station = StationSpec {
        funnel: if r.switch("has_funnel") { walls } else { None },
        contact_radius_m: or("contact_radius_m", base.contact_radius_m),
        charge_current_a: or("charge_current_a", base.charge_current_a),
        taper_from: or("taper_from", base.taper_from),
        supply_a: or("supply_a", base.supply_a),
        full_from: or("full_from", base.full_from),
        full_current_a: or("full_current_a", base.full_current_a),
        resume_below: or("resume_below", base.resume_below),
        led: or("led", base.led),
        led_softening_m2: or("led_softening_m2", base.led_softening_m2),
        click_level: or("click_level", base.click_level),
        click_half_m: or("click_half_m", base.click_half_m),
        cues,
        radio: r.table("radio").map_or(base.radio, |radio| Radio {
            power_dbm: radio.number("power_dbm"),
            slope_db: radio.number("slope_db"),
            shadow_db: radio.number("shadow_db"),
        }),
        is_on: r.switch("is_on"),
        ..base
    };
    check(r, &station);
    station
}
