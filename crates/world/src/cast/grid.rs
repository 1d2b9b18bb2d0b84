//! Uniform cell lists.
//!
//! Model: the border is covered by square cells; a primitive is listed in every cell its bounding
//! box touches. A query over a block of cells meets a primitive listed in several of them only in
//! the first one, by comparing cell numbers, so that queries need no memory of their own.

use alloc::vec::Vec;
use tropism_core::math;

use crate::geometry::Vec2;

/// Most cells along one side.
const SIDE_MAX: u32 = 256;

/// A block of cells, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) x0: u16,
    pub(crate) y0: u16,
    pub(crate) x1: u16,
    pub(crate) y1: u16,
}

/// Where the cells lie.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cells {
    min: Vec2,
    per_metre: f32,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

impl Cells {
    /// Cells of about this size over a rectangle.
    pub(crate) fn new(min: Vec2, max: Vec2, size_m: f32) -> Self {
        let longer = math::clamp(max.x - min.x, max.y - min.y, f32::MAX);
        let least = longer / SIDE_MAX as f32;
        let size = if size_m > least { size_m } else { least };
        let count = |extent: f32| (math::floor(extent / size) as u32 + 1).min(SIDE_MAX);
        Self {
            min,
            per_metre: 1.0 / size,
            columns: count(max.x - min.x),
            rows: count(max.y - min.y),
        }
    }

    #[inline]
    fn clamped(at: f32, count: u32) -> u16 {
        // A float that is negative or too large saturates in the conversion.
        (at as u32).min(count - 1) as u16
    }

    /// The block that covers a box; what lies outside the border counts to the nearest cell.
    #[inline]
    pub(crate) fn block(&self, lo: Vec2, hi: Vec2) -> Block {
        let along = |v: f32, base: f32| (v - base) * self.per_metre;
        Block {
            x0: Self::clamped(along(lo.x, self.min.x), self.columns),
            y0: Self::clamped(along(lo.y, self.min.y), self.rows),
            x1: Self::clamped(along(hi.x, self.min.x), self.columns),
            y1: Self::clamped(along(hi.y, self.min.y), self.rows),
        }
    }

    /// The block around a disc.
    #[inline]
    pub(crate) fn around(&self, at: Vec2, reach: f32) -> Block {
        let r = Vec2::new(reach, reach);
        self.block(at - r, at + r)
    }

    #[inline]
    fn cell(&self, x: u16, y: u16) -> usize {
        (u32::from(y) * self.columns + u32::from(x)) as usize
    }
}

/// Primitives by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub(crate) cells: Cells,
    starts: Vec<u32>,
    items: Vec<u32>,
    blocks: Vec<Block>,
}

impl Grid {
    /// Lists of primitives with these bounding boxes.
    pub(crate) fn new(cells: Cells, boxes: impl Iterator<Item = (Vec2, Vec2)>) -> Self {
        let mut grid = Self { cells, ..Self::default() };
        grid.blocks = boxes.map(|(lo, hi)| cells.block(lo, hi)).collect();
        grid.starts = alloc::vec![0; (cells.columns * cells.rows) as usize + 1];
        let blocks = grid.blocks.clone();
        for block in &blocks {
            grid.each_cell(*block, |starts, cell, _| starts[cell + 1] += 1);
        }
        for cell in 1..grid.starts.len() {
            grid.starts[cell] += grid.starts[cell - 1];
        }
        let total = grid.starts.last().copied().unwrap_or(0) as usize;
        grid.items = alloc::vec![0; total];
        let mut filled = alloc::vec![0_u32; grid.starts.len()];
        for (i, block) in blocks.iter().enumerate() {
            grid.each_cell(*block, |starts, cell, items| {
                items[(starts[cell] + filled[cell]) as usize] = i as u32;
                filled[cell] += 1;
            });
        }
        grid
    }

    fn each_cell(&mut self, block: Block, mut visit: impl FnMut(&mut [u32], usize, &mut [u32])) {
        for y in block.y0..=block.y1 {
            for x in block.x0..=block.x1 {
                let cell = self.cells.cell(x, y);
                visit(&mut self.starts, cell, &mut self.items);
            }
        }
    }

    /// Visits every primitive listed in a block once, cell by cell.
    #[inline]
    pub(crate) fn visit(&self, block: Block, mut visit: impl FnMut(u32)) {
        if self.items.is_empty() {
            return;
        }
        for y in block.y0..=block.y1 {
            for x in block.x0..=block.x1 {
                let cell = self.cells.cell(x, y);
                let (from, to) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
                for &item in &self.items[from..to] {
                    let own = self.blocks[item as usize];
                    if x == own.x0.max(block.x0) && y == own.y0.max(block.y0) {
                        visit(item);
                    }
                }
            }
        }
    }
}

/// Moving robots by cell: each is listed in the cell of its centre alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bins {
    cells: Cells,
    starts: Vec<u32>,
    items: Vec<u32>,
    of: Vec<u32>,
    pub(crate) are_fresh: bool,
}

impl Bins {
    /// Bins for this many robots; nothing is allocated later.
    pub(crate) fn new(cells: Cells, robots: usize) -> Self {
        Self {
            cells,
            starts: alloc::vec![0; (cells.columns * cells.rows) as usize + 1],
            items: alloc::vec![0; robots],
            of: alloc::vec![0; robots],
            are_fresh: false,
        }
    }

    /// Sorts the robots into their cells, in index order within a cell.
    pub(crate) fn fill(&mut self, places: impl Iterator<Item = Vec2>) {
        self.starts.fill(0);
        for (i, at) in places.enumerate() {
            let block = self.cells.block(at, at);
            let cell = self.cells.cell(block.x0, block.y0);
            self.of[i] = cell as u32;
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        // Filling moves every start to its cell's end; going backwards restores them all.
        for i in (0..self.of.len()).rev() {
            let end = &mut self.starts[self.of[i] as usize + 1];
            *end -= 1;
            self.items[*end as usize] = i as u32;
        }
        // Now starts[c + 1] is the start of cell c: shift by one.
        let last = self.starts.len() - 1;
        self.starts.copy_within(1.., 0);
        self.starts[last] = self.items.len() as u32;
        self.are_fresh = true;
    }

    /// Visits every robot whose centre's cell lies in the block around a point.
    #[inline]
    pub(crate) fn visit(&self, at: Vec2, reach: f32, mut visit: impl FnMut(u32)) {
        let block = self.cells.around(at, reach);
        for y in block.y0..=block.y1 {
            let (from, to) = (self.cells.cell(block.x0, y), self.cells.cell(block.x1, y));
            let range = self.starts[from] as usize..self.starts[to + 1] as usize;
            for &item in &self.items[range] {
                visit(item);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_core::{Purpose, Seed, Tick};

    #[test]
    fn prop_a_query_meets_every_near_primitive_exactly_once() {
        let mut draws = Seed(5).stream(Purpose::named("t"), 0, 0).at(Tick(0));
        for _ in 0..50 {
            let (min, max) = (Vec2::new(-1.0, -2.0), Vec2::new(4.0, 3.0));
            let cells = Cells::new(min, max, draws.between(0.05, 2.0));
            let boxes: Vec<(Vec2, Vec2)> = (0..40)
                .map(|_| {
                    let lo = Vec2::new(draws.between(-2.0, 4.5), draws.between(-3.0, 3.5));
                    let size = Vec2::new(draws.between(0.0, 2.0), draws.between(0.0, 0.5));
                    (lo, lo + size)
                })
                .collect();
            let grid = Grid::new(cells, boxes.iter().copied());
            for _ in 0..20 {
                let at = Vec2::new(draws.between(-1.0, 4.0), draws.between(-2.0, 3.0));
                let reach = draws.between(0.0, 1.5);
                let mut seen = [0_u32; 40];
                grid.visit(cells.around(at, reach), |i| seen[i as usize] += 1);
                for ((lo, hi), count) in boxes.iter().zip(seen) {
                    let is_near = lo.x <= at.x + reach
                        && hi.x >= at.x - reach
                        && lo.y <= at.y + reach
                        && hi.y >= at.y - reach;
                    assert!(count <= 1 && (count == 1 || !is_near));
                }
            }
        }
    }

    #[test]
    fn prop_bins_find_every_robot_within_reach_once() {
        let mut draws = Seed(6).stream(Purpose::named("t"), 0, 0).at(Tick(0));
        let cells = Cells::new(Vec2::default(), Vec2::new(3.0, 2.0), 0.3);
        let mut bins = Bins::new(cells, 50);
        for _ in 0..50 {
            let places: Vec<Vec2> = (0..50)
                .map(|_| Vec2::new(draws.between(0.0, 3.0), draws.between(0.0, 2.0)))
                .collect();
            bins.fill(places.iter().copied());
            let at = places[draws.below(50) as usize];
            let reach = draws.between(0.0, 1.0);
            let mut seen = [0_u32; 50];
            bins.visit(at, reach, |i| seen[i as usize] += 1);
            for (place, count) in places.iter().zip(seen) {
                let is_near = (*place - at).length() <= reach;
                assert!(count <= 1 && (count == 1 || !is_near));
            }
        }
    }
}
