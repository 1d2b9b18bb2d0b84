//! Worlds from text maps and from a seed.
//!
//! Terms: a *text map* is rows of equal cells, the first row at the top: `#` wall, `S` start, `G`
//! goal, `.` or a space free.
//!
//! What it does not do: no diagonal walls and no heights; a map says nothing of sizes, so the size
//! of a cell is given beside it.

use tropism_core::{Name, Purpose, Seed, Tick, TimeStep};
use tropism_world::{ConvexPolygon, Disc, Material, RobotPlan, RobotSpec, Start, Vec2, WorldSpec};

/// Most cells of a map.
pub const CELLS_MAX: usize = 250_000;
/// Width of the free strip round a map, m.
pub const MARGIN_M: f32 = 1.0;

/// Why a text map was refused. Lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TextMapError {
    /// No row with a cell in it.
    Empty,
    /// More than [`CELLS_MAX`] cells.
    TooLarge(usize),
    /// A character that means nothing.
    Character {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
        /// The character.
        found: char,
    },
    /// A row of another length than the first.
    Ragged {
        /// Line.
        line: usize,
        /// Its length.
        found: usize,
        /// Length of the first row.
        expected: usize,
    },
    /// No start.
    NoStart,
    /// No goal.
    NoGoal,
    /// A second start or goal.
    Twice {
        /// Line of the second.
        line: usize,
        /// `S` or `G`.
        what: char,
    },
    /// The size of a cell is no positive number.
    CellSize(f32),
}

impl core::fmt::Display for TextMapError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Empty => f.write_str("an empty map"),
            Self::TooLarge(cells) => write!(f, "{cells} cells; a map has at most {CELLS_MAX}"),
            Self::Character { line, column, found } => {
                write!(f, "{line}:{column}: {found:?} is none of `#`, `.`, `S`, `G`")
            }
            Self::Ragged { line, found, expected } => {
                write!(f, "{line}: {found} cells in a map whose first row has {expected}")
            }
            Self::NoStart => f.write_str("no start `S`"),
            Self::NoGoal => f.write_str("no goal `G`"),
            Self::Twice { line, what } => write!(f, "{line}: a second `{what}`"),
            Self::CellSize(size) => write!(f, "a cell of {size} m; it must be above 0"),
        }
    }
}

impl core::error::Error for TextMapError {}

/// A text map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMap {
    /// Cells per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Column and row of the start, rows from the bottom.
    pub start: (usize, usize),
    /// Column and row of the goal, rows from the bottom.
    pub goal: (usize, usize),
    walls: Vec<bool>,
}

impl TextMap {
    /// Reads a map.
    ///
    /// # Errors
    /// [`TextMapError`] names the line and what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, TextMapError> {
        let rows: Vec<&str> =
            text.lines().map(|l| l.trim_end_matches('\r')).filter(|l| !l.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        if width == 0 {
            return Err(TextMapError::Empty);
        }
        if width.saturating_mul(rows.len()) > CELLS_MAX {
            return Err(TextMapError::TooLarge(width.saturating_mul(rows.len())));
        }
        let mut walls = vec![false; width * rows.len()];
        let (mut start, mut goal) = (None, None);
        for (i, row) in rows.iter().enumerate() {
            let (line, y) = (i + 1, rows.len() - 1 - i);
            let found = row.chars().count();
            if found != width {
                return Err(TextMapError::Ragged { line, found, expected: width });
            }
            for (x, c) in row.chars().enumerate() {
                let slot = match c {
                    '#' => {
                        walls[y * width + x] = true;
                        continue;
                    }
                    '.' | ' ' => continue,
                    'S' => &mut start,
                    'G' => &mut goal,
                    found => {
                        return Err(TextMapError::Character { line, column: x + 1, found });
                    }
                };
                if slot.replace((x, y)).is_some() {
                    return Err(TextMapError::Twice { line, what: c });
                }
            }
        }
        Ok(Self {
            width,
            height: rows.len(),
            start: start.ok_or(TextMapError::NoStart)?,
            goal: goal.ok_or(TextMapError::NoGoal)?,
            walls,
        })
    }

    /// True for a wall; false outside.
    pub fn is_wall(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height && self.walls[y * self.width + x]
    }

    /// The walls as few boxes: lower left cell, columns and rows of each. Greedy: the longest run
    /// of a row, then as many rows above as are full below it.
    pub fn boxes(&self) -> Vec<(usize, usize, usize, usize)> {
        let mut left = self.walls.clone();
        let mut boxes = Vec::new();
        for y in 0..self.height {
            let mut x = 0;
            while x < self.width {
                if !left[y * self.width + x] {
                    x += 1;
                    continue;
                }
                let wide = (x..self.width).take_while(|c| left[y * self.width + c]).count();
                let is_full = |row: usize| (x..x + wide).all(|c| left[row * self.width + c]);
                let high = (y..self.height).take_while(|row| is_full(*row)).count();
                for row in y..y + high {
                    left[row * self.width + x..row * self.width + x + wide].fill(false);
                }
                boxes.push((x, y, wide, high));
                x += wide;
            }
        }
        boxes
    }

    /// Middle of a cell, m.
    pub fn middle(cell: (usize, usize), cell_m: f32) -> Vec2 {
        Vec2::new((cell.0 as f32 + 0.5) * cell_m, (cell.1 as f32 + 0.5) * cell_m)
    }

    /// A world at 100 Hz with this robot at the start, looking along x, and a beacon at the goal.
    /// The map has no border; that of the world lies [`MARGIN_M`] outside of it.
    ///
    /// # Errors
    /// [`TextMapError::CellSize`].
    pub fn world(&self, cell_m: f32, plan: &RobotPlan) -> Result<WorldSpec, TextMapError> {
        if !(cell_m.is_finite() && cell_m > 0.0) {
            return Err(TextMapError::CellSize(cell_m));
        }
        let size = (self.width as f32 * cell_m, self.height as f32 * cell_m);
        let mut spec = course_world("text_map", size);
        let margin = Vec2::new(MARGIN_M, MARGIN_M);
        (spec.room.min, spec.room.max) = (margin * -1.0, spec.room.max + margin);
        for (x, y, wide, high) in self.boxes() {
            let half = Vec2::new(wide as f32 * cell_m * 0.5, high as f32 * cell_m * 0.5);
            let low = Vec2::new(x as f32 * cell_m, y as f32 * cell_m);
            spec.room.polygons.push(ConvexPolygon::rectangle(low + half, half, 0.0));
        }
        spec.beacons.push(Self::middle(self.goal, cell_m));
        let at = Self::middle(self.start, cell_m);
        spec.robots.push(RobotSpec {
            name: Name::literal("robot"),
            plan: plan.clone(),
            start: Start::Pose { at, heading_rad: 0.0, soc: 1.0 },
        });
        Ok(spec)
    }
}

fn course_world(name: &str, (width_m, height_m): (f32, f32)) -> WorldSpec {
    let mut spec = WorldSpec::empty(name, width_m, height_m);
    if let Ok(step) = TimeStep::new(1, 100) {
        (spec.step, spec.physics_step) = (step, step);
    }
    spec
}

const COURSE: Purpose = Purpose::named("scenario.random_course");

/// A random course at 100 Hz: 4 × 3 m, this many discs and boxes, a robot at the lower left and a
/// beacon at the upper right; both corners are kept free, as is a lane of 0.4 m between obstacles.
///
/// # Determinism
/// Depends on the seed and the number alone; obstacle i does not depend on how many follow.
pub fn random_course(seed: Seed, obstacles: u32, plan: &RobotPlan) -> WorldSpec {
    let mut spec = course_world("random_course", (4.0, 3.0));
    let (start, goal) = (Vec2::new(0.4, 0.4), Vec2::new(3.6, 2.6));
    let mut taken: Vec<(Vec2, f32)> = vec![(start, 0.25), (goal, 0.25)];
    let stream = seed.stream(COURSE, 0, 0);
    for i in 0..obstacles {
        let mut draws = stream.at(Tick(u64::from(i)));
        for _ in 0..16 {
            let at = Vec2::new(draws.between(0.5, 3.5), draws.between(0.5, 2.5));
            let (reach_m, is_disc) = (draws.between(0.08, 0.3), draws.chance(1, 2));
            let (slim, turn_rad) = (draws.between(0.3, 1.0), draws.between(0.0, 3.0));
            let is_free = |(c, r): &(Vec2, f32)| (*c - at).length() > r + reach_m + 0.4;
            if !taken.iter().all(is_free) {
                continue;
            }
            taken.push((at, reach_m));
            if is_disc {
                let disc = Disc { center: at, radius_m: reach_m, material: Material::HARD };
                spec.room.discs.push(disc);
            } else {
                let half = Vec2::new(reach_m * 0.9, reach_m * 0.4 * slim);
                spec.room.polygons.push(ConvexPolygon::rectangle(at, half, turn_rad));
            }
            break;
        }
    }
    spec.beacons.push(goal);
    spec.robots.push(RobotSpec {
        name: Name::literal("robot"),
        plan: plan.clone(),
        start: Start::Pose { at: start, heading_rad: 0.0, soc: 1.0 },
    });
    spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_world::World;
    use tropism_world::plans;

    const MAP: &str = "......\n.###G.\n.###..\nS.#...\n";

    #[test]
    fn unit_a_map_becomes_few_boxes_start_and_goal() {
        let map = TextMap::parse(MAP).unwrap();
        assert_eq!((map.width, map.height, map.start, map.goal), (6, 4, (0, 0), (4, 2)));
        assert_eq!(map.boxes(), [(2, 0, 1, 3), (1, 1, 1, 2), (3, 1, 1, 2)]);
        let world = map.world(0.5, &plans::course_robot()).unwrap();
        assert_eq!(world.room.max, Vec2::new(4.0, 3.0));
        assert_eq!(world.room.min, Vec2::new(-1.0, -1.0));
        assert_eq!(world.beacons, [Vec2::new(2.25, 1.25)]);
        World::new(&world, Seed(1)).unwrap();
    }

    #[test]
    fn edge_maps_that_cannot_be_read_name_the_line() {
        let error = |text: &str| TextMap::parse(text).unwrap_err().to_string();
        assert_eq!(error(""), "an empty map");
        assert_eq!(error("S.\n..."), "2: 3 cells in a map whose first row has 2");
        assert_eq!(error("S?"), "1:2: '?' is none of `#`, `.`, `S`, `G`");
        assert_eq!(error("SG\nS."), "2: a second `S`");
        assert_eq!(error("S."), "no goal `G`");
        let map = TextMap::parse("SG").unwrap();
        assert!(map.world(f32::NAN, &plans::course_robot()).is_err());
    }

    #[test]
    fn determinism_a_random_course_follows_from_its_seed() {
        let plan = plans::course_robot();
        let course = |seed, n| random_course(Seed(seed), n, &plan);
        assert_eq!(course(3, 6), course(3, 6));
        assert_ne!(course(3, 6), course(4, 6));
        for seed in 0..20 {
            World::new(&course(seed, 8), Seed(seed)).unwrap();
        }
    }

    #[test]
    fn prop_no_text_makes_the_importer_panic() {
        let stream = Seed(9).stream(COURSE, 1, 1);
        let letters = ['#', '.', 'S', 'G', '\n', ' ', 'é', '\r', '\0', '?'];
        for i in 0..3_000 {
            let mut draws = stream.at(Tick(i));
            let count = draws.below(60);
            let text: String = (0..count).map(|_| letters[draws.below(10) as usize % 10]).collect();
            if let Ok(map) = TextMap::parse(&text) {
                let _ = map.world(0.1, &plans::course_robot()).map(|w| World::new(&w, Seed(0)));
            }
        }
    }
}
