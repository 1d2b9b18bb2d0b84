//! Scenario files, versions 1 and 2: what they hold and how strictly they are read.
//!
//! Version 1 is the public model's format. Version 2 has the same fields and adds `law`,
//! `arbitration`, `critical_severity`, `separation`, `allocation`, `hand_over`, `hazards`,
//! `food[].reward`, `arms[].target.when_taken`, and `state` in saved files.

use tropism_octopus::constants::{ARMS, CRITICAL_SEVERITY, OBJECT_RADIUS};
use tropism_octopus::{ArmParameters, LawKind, Point, SeparationSettings, WhenTaken};

use super::field::{Field, FormatError};
use super::json::Json;

/// A scenario as its file says it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// 1 or 2.
    pub version: u32,
    /// Shown to people; kept verbatim.
    pub name: String,
    /// Centre of the body, px.
    pub body: Point,
    /// Parameters of arms that say nothing themselves.
    pub defaults: ArmParameters,
    /// Food in file order.
    pub food: Vec<FoodEntry>,
    /// Obstacles in file order.
    pub obstacles: Vec<(Point, f64)>,
    /// Per arm, what the file says of it.
    pub arms: [ArmEntry; ARMS],
    /// Fields of version 2; the defaults for version 1.
    pub extras: Extras,
    /// Hazards reported at the start.
    pub hazards: Vec<HazardEntry>,
    /// The saved state, unread.
    pub state: Option<Json>,
}

/// One food.
#[derive(Clone, Debug, PartialEq)]
pub struct FoodEntry {
    /// Its name in the file.
    pub id: Option<String>,
    /// Centre, px.
    pub position: Point,
    /// Radius, px.
    pub radius: f64,
    /// Worth for the allocation.
    pub reward: f64,
}

/// One arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmEntry {
    /// Shape and speed, defaults filled in.
    pub parameters: ArmParameters,
    /// What it is told to do at the start.
    pub target: Option<TargetEntry>,
}

/// An arm's target at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TargetEntry {
    /// A place.
    Place(Point),
    /// Index of a food in the file, and what to do when it is taken.
    Food(usize, WhenTaken),
}

/// One hazard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HazardEntry {
    /// Centre, px.
    pub position: Point,
    /// Radius, px.
    pub radius: f64,
    /// 0..=1.
    pub severity: f64,
    /// Life time, s; `None` without end.
    pub seconds: Option<f64>,
}

/// What version 2 adds to the whole scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extras {
    /// The law, if the file names one.
    pub law: Option<LawKind>,
    /// Arbitration, if the file names it.
    pub arbitration: Option<bool>,
    /// Critical severity, if the file names it.
    pub critical_severity: Option<f64>,
    /// Separations.
    pub separation: SeparationSettings,
    /// Reward-ranked allocation.
    pub allocation: bool,
    /// Hand-over of food.
    pub hand_over: bool,
}

const KEYS_1: &[&str] = &["version", "name", "body", "defaults", "food", "obstacles", "arms"];
const KEYS_2: &[&str] = &[
    "version",
    "name",
    "body",
    "defaults",
    "food",
    "obstacles",
    "arms",
    "law",
    "arbitration",
    "critical_severity",
    "separation",
    "allocation",
    "hand_over",
    "hazards",
    "state",
];
const PARAMETER_KEYS: &[&str] =
    &["segment_count", "segment_length", "maximum_bend_degrees", "turning_speed_degrees"];

/// Names of the laws in files and on the command line.
pub const LAW_NAMES: [&str; 2] = ["reference", "reach"];

/// The law of an index into [`LAW_NAMES`].
pub const fn law_of(index: usize) -> LawKind {
    if index == 0 { LawKind::Reference } else { LawKind::Reach }
}

impl Scenario {
    /// Reads and checks a file's bytes.
    ///
    /// # Errors
    /// [`FormatError`] with line, field and reason of the first fault.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let json = Json::parse(bytes)?;
        Self::from_json(&json)
    }

    /// Reads and checks a parsed file.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn from_json(json: &Json) -> Result<Self, FormatError> {
        let root = Field::root(json);
        if json.get("version").is_none() {
            root.expect_keys(KEYS_2)?;
        }
        let version_field = root.need("version")?;
        let version = version_field.json.as_integer().filter(|v| matches!(v, 1 | 2));
        let version =
            version.ok_or_else(|| version_field.error("the whole number 1 or 2 is expected"))?;
        let is_second = version == 2;
        root.expect_keys(if is_second { KEYS_2 } else { KEYS_1 })?;
        let name = match root.get("name") {
            Some(field) => field.name()?,
            None => "Untitled scenario".to_owned(),
        };
        let body = match root.get("body") {
            Some(field) => field.point()?,
            None => Point::new(400.0, 460.0),
        };
        let defaults = match root.get("defaults") {
            Some(field) => parameters(&field, ArmParameters::default())?,
            None => ArmParameters::default(),
        };
        let food = food(&root, is_second)?;
        let obstacles = obstacles(&root)?;
        let arms = arms(&root, defaults, &food, is_second)?;
        let (extras, hazards) = if is_second { extras(&root)? } else { Default::default() };
        Ok(Self {
            version: version as u32,
            name,
            body,
            defaults,
            food,
            obstacles,
            arms,
            extras,
            hazards,
            state: json.get("state").cloned(),
        })
    }

    /// Settings of a run of this scenario; `law` overrides the file's.
    ///
    /// Arbitration is off for version 1 under the reference law and on otherwise, unless the file
    /// says something else.
    pub fn settings(&self, law: Option<LawKind>) -> tropism_octopus::Settings {
        let law = law.or(self.extras.law).unwrap_or_default();
        let is_plain = self.version == 1 && law == LawKind::Reference;
        tropism_octopus::Settings {
            law,
            arbitration: self.extras.arbitration.unwrap_or(!is_plain),
            critical_severity: self.extras.critical_severity.unwrap_or(CRITICAL_SEVERITY),
            separation: self.extras.separation,
            allocation: self.extras.allocation,
            hand_over: self.extras.hand_over,
            ..tropism_octopus::Settings::default()
        }
    }
}

/// Arm parameters in file units over a base.
///
/// # Errors
/// Names the field that is out of range.
pub fn parameters(field: &Field<'_>, base: ArmParameters) -> Result<ArmParameters, FormatError> {
    field.expect_keys(PARAMETER_KEYS)?;
    let mut count = base.segment_count();
    let mut length = base.segment_length();
    let mut bend = base.maximum_bend();
    let mut speed = base.turning_speed();
    if let Some(f) = field.get("segment_count") {
        count = f.integer(2..=100)? as usize;
    }
    if let Some(f) = field.get("segment_length") {
        length = f.positive()?;
    }
    if let Some(f) = field.get("maximum_bend_degrees") {
        let degrees = f.positive()?;
        if degrees > 180.0 {
            return Err(f.error("at most 180 degrees are allowed"));
        }
        bend = f.in_radians(degrees)?.min(core::f64::consts::PI);
    }
    if let Some(f) = field.get("turning_speed_degrees") {
        speed = f.in_radians(f.positive()?)?;
    }
    ArmParameters::new(count, length, bend, speed).map_err(|e| field.error(e.to_string()))
}

impl Field<'_> {
    /// Degrees to radians, refused when nothing is left of a positive number.
    fn in_radians(&self, degrees: f64) -> Result<f64, FormatError> {
        let radians = degrees.to_radians();
        if radians > 0.0 && radians.is_finite() {
            Ok(radians)
        } else {
            Err(self.error("too small or too large to be turned into radians"))
        }
    }
}

fn food(root: &Field<'_>, is_second: bool) -> Result<Vec<FoodEntry>, FormatError> {
    let mut food: Vec<FoodEntry> = Vec::new();
    let Some(list) = root.get("food") else {
        return Ok(food);
    };
    let keys: &[&str] = if is_second {
        &["id", "position", "radius", "reward"]
    } else {
        &["id", "position", "radius"]
    };
    for item in list.items()? {
        item.expect_keys(keys)?;
        let id = item.get("id").map(|f| f.name()).transpose()?;
        if id.is_some() && food.iter().any(|f| f.id == id) {
            let field = item.need("id")?;
            return Err(field.error("this id is taken by another food"));
        }
        let position = item.need("position")?.point()?;
        let radius = radius(&item)?;
        let reward = item.get("reward").map_or(Ok(1.0), |f| f.number())?;
        food.push(FoodEntry { id, position, radius, reward });
    }
    Ok(food)
}

fn radius(item: &Field<'_>) -> Result<f64, FormatError> {
    item.get("radius").map_or(Ok(OBJECT_RADIUS), |f| f.positive())
}

fn obstacles(root: &Field<'_>) -> Result<Vec<(Point, f64)>, FormatError> {
    let Some(list) = root.get("obstacles") else {
        return Ok(Vec::new());
    };
    let mut obstacles = Vec::new();
    for item in list.items()? {
        item.expect_keys(&["position", "radius"])?;
        obstacles.push((item.need("position")?.point()?, radius(&item)?));
    }
    Ok(obstacles)
}

fn arms(
    root: &Field<'_>,
    defaults: ArmParameters,
    food: &[FoodEntry],
    is_second: bool,
) -> Result<[ArmEntry; ARMS], FormatError> {
    let mut arms = [ArmEntry { parameters: defaults, target: None }; ARMS];
    let mut is_given = [false; ARMS];
    let Some(list) = root.get("arms") else {
        return Ok(arms);
    };
    for item in list.items()? {
        item.expect_keys(&["number", "parameters", "target"])?;
        let number = item.need("number")?;
        let index = number.integer(1..=ARMS as i64)? as usize - 1;
        if is_given[index] {
            return Err(number.error("this arm is described twice"));
        }
        is_given[index] = true;
        if let Some(field) = item.get("parameters") {
            arms[index].parameters = parameters(&field, defaults)?;
        }
        if let Some(field) = item.get("target") {
            arms[index].target = Some(target(&field, food, is_second)?);
        }
    }
    Ok(arms)
}

fn target(
    field: &Field<'_>,
    food: &[FoodEntry],
    is_second: bool,
) -> Result<TargetEntry, FormatError> {
    let keys: &[&str] =
        if is_second { &["food", "position", "when_taken"] } else { &["food", "position"] };
    field.expect_keys(keys)?;
    match (field.get("food"), field.get("position")) {
        (Some(id), None) => {
            let name = id.name()?;
            let index = food.iter().position(|f| f.id.as_deref() == Some(name.as_str()));
            let index = index.ok_or_else(|| id.error(format!("no food has the id \"{name}\"")))?;
            let words = [WhenTaken::Wait, WhenTaken::Free, WhenTaken::Nearest];
            let when = field.get("when_taken");
            let when = when.map_or(Ok(0), |f| f.one_of(&words.map(WhenTaken::as_str)))?;
            Ok(TargetEntry::Food(index, words[when]))
        }
        (None, Some(place)) => match field.get("when_taken") {
            Some(when) => Err(when.error("only a target with food can say this")),
            None => Ok(TargetEntry::Place(place.point()?)),
        },
        _ => Err(field.error("exactly one of \"food\" and \"position\" is expected")),
    }
}

fn extras(root: &Field<'_>) -> Result<(Extras, Vec<HazardEntry>), FormatError> {
    let mut extras = Extras::default();
    if let Some(field) = root.get("law") {
        extras.law = Some(law_of(field.one_of(&LAW_NAMES)?));
    }
    if let Some(field) = root.get("arbitration") {
        extras.arbitration = Some(field.boolean()?);
    }
    if let Some(field) = root.get("critical_severity") {
        extras.critical_severity = Some(share(&field)?);
    }
    if let Some(field) = root.get("allocation") {
        extras.allocation = field.boolean()?;
    }
    if let Some(field) = root.get("hand_over") {
        extras.hand_over = field.boolean()?;
    }
    if let Some(field) = root.get("separation") {
        field.expect_keys(&["arms", "own", "body", "distance"])?;
        let flag = |key| field.get(key).map_or(Ok(false), |f| f.boolean());
        extras.separation.arms = flag("arms")?;
        extras.separation.own = flag("own")?;
        extras.separation.body = flag("body")?;
        if let Some(distance) = field.get("distance") {
            extras.separation.distance = distance.positive()?;
        }
    }
    let mut hazards = Vec::new();
    if let Some(list) = root.get("hazards") {
        for item in list.items()? {
            hazards.push(hazard(&item)?);
        }
        if hazards.len() > tropism_octopus::constants::HAZARDS_MAX {
            return Err(list.error("at most 16 hazards are allowed"));
        }
    }
    Ok((extras, hazards))
}

fn hazard(item: &Field<'_>) -> Result<HazardEntry, FormatError> {
    item.expect_keys(&["position", "radius", "severity", "seconds"])?;
    Ok(HazardEntry {
        position: item.need("position")?.point()?,
        radius: item.need("radius")?.positive()?,
        severity: share(&item.need("severity")?)?,
        seconds: item.get("seconds").map(|f| f.positive()).transpose()?,
    })
}

fn share(field: &Field<'_>) -> Result<f64, FormatError> {
    let value = field.number()?;
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(field.error("a number in 0..=1 is expected"))
    }
}
