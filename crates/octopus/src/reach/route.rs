//! Routes in joint space: two trees that grow towards each other.
//!
//! From the start and from all goal poses a tree grows by straight movements towards random smooth
//! poses; each new pose of one tree is at once tried for a connection from the other (Kuffner and
//! `LaValle` 2000, RRT-Connect). We differ in that poses are drawn as smooth curves, in that
//! nearness compares headings along the arm, and in that a tree keeps the free part of a barred
//! movement.
//!
//! What it does not do: it gives no guarantee; a full tree is thrown away and grown anew.

use alloc::vec::Vec;

use tropism_core::{Draws, Purpose, Seed, Tick};

use super::chain::{Chain, Scratch, changes, free_part, largest};
use crate::vector::clip;

/// Nodes per tree.
pub(super) const NODES: usize = 300;
/// Places along the arm at which headings are compared.
const PLACES: usize = 8;
/// Shortest movement worth a node, rad of the fastest joint.
const PROGRESS: f64 = 0.02;
/// Poses looked at in one movement at most.
pub(super) const LOOKS: u32 = 48;
/// Knots of a drawn curve.
const KNOTS: usize = 5;

const ROUTE: Purpose = Purpose::named("octopus.reach.route");

/// Draws of one attempt at a plan.
pub(super) fn draws_of(attempt: u32) -> Draws {
    Seed(0x0c70).stream(ROUTE, attempt, 0).at(Tick(0))
}

/// A tree of free poses.
#[derive(Debug, Default)]
struct Tree {
    angles: Vec<f32>,
    keys: Vec<[f32; PLACES]>,
    parents: Vec<u16>,
    segments: usize,
}

impl Tree {
    fn reserve(&mut self, segments: usize) {
        self.segments = segments;
        self.angles = Vec::with_capacity(segments * NODES);
        self.keys = Vec::with_capacity(NODES);
        self.parents = Vec::with_capacity(NODES);
    }

    fn clear(&mut self) {
        self.angles.clear();
        self.keys.clear();
        self.parents.clear();
    }

    fn is_full(&self) -> bool {
        self.keys.len() >= NODES
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn add(&mut self, angles: &[f64], parent: u16) -> u16 {
        let index = self.keys.len() as u16;
        self.angles.extend(angles.iter().map(|a| *a as f32));
        self.keys.push(key_of(angles));
        self.parents.push(parent);
        index
    }

    fn read(&self, node: u16, out: &mut [f64]) {
        let start = usize::from(node) * self.segments;
        let stored = &self.angles[start..start + self.segments];
        out.iter_mut().zip(stored).for_each(|(o, a)| *o = f64::from(*a));
    }

    fn nearest(&self, angles: &[f64]) -> u16 {
        let key = key_of(angles);
        let mut best = (f32::INFINITY, 0);
        for (index, other) in self.keys.iter().enumerate() {
            let apart = key_distance(&key, other);
            if apart < best.0 {
                best = (apart, index as u16);
            }
        }
        best.1
    }
}

/// Headings at evenly spread segments, relative to nothing.
fn key_of(angles: &[f64]) -> [f32; PLACES] {
    let mut key = [0.0; PLACES];
    let (mut heading, mut place) = (0.0, 0);
    for (i, angle) in angles.iter().enumerate() {
        heading += angle;
        while place < PLACES && (i + 1) * PLACES >= (place + 1) * angles.len() {
            key[place] = heading as f32;
            place += 1;
        }
    }
    key
}

fn key_distance(a: &[f32; PLACES], b: &[f32; PLACES]) -> f32 {
    const TURN: f32 = 2.0 * core::f32::consts::PI;
    // The base goes the short way round; the rest of the arm turns with it.
    let mut shift = a[0] - b[0];
    let mut whole = 0.0;
    while shift > 0.5 * TURN {
        shift -= TURN;
        whole += TURN;
    }
    while shift < -0.5 * TURN {
        shift += TURN;
        whole -= TURN;
    }
    a.iter().zip(b).map(|(x, y)| (x - y - whole) * (x - y - whole)).sum()
}

/// A smooth random pose.
pub(super) fn draw_pose(draws: &mut Draws, limit: f64, amplitude: f64, out: &mut [f64]) {
    let mut knots = [0.0; KNOTS];
    for knot in &mut knots {
        *knot = amplitude * f64::from(draws.signed_uniform());
    }
    let last = out.len().max(2) - 1;
    for (i, angle) in out.iter_mut().enumerate() {
        let at = i as f64 * (KNOTS - 1) as f64 / last as f64;
        let left = (at as usize).min(KNOTS - 2);
        let share = at - left as f64;
        let bend = knots[left] * (1.0 - share) + knots[left + 1] * share;
        *angle = clip(bend, -limit, limit);
    }
    out[0] = core::f64::consts::PI * f64::from(draws.signed_uniform());
}

/// A search for a route, resumable after any number of steps.
#[derive(Debug, Default)]
pub(super) struct Search {
    trees: [Tree; 2],
    /// Which tree grows next: 0 from the start, 1 from the goals.
    grows: usize,
    wanted: Vec<f64>,
    near: Vec<f64>,
    fresh: Vec<f64>,
}

impl Search {
    pub(super) fn reserve(&mut self, segments: usize) {
        self.trees.iter_mut().for_each(|tree| tree.reserve(segments));
        for buffer in [&mut self.wanted, &mut self.near, &mut self.fresh] {
            buffer.resize(segments, 0.0);
        }
    }

    /// Forgets everything but the start.
    pub(super) fn begin(&mut self, start: &[f64]) {
        self.trees.iter_mut().for_each(Tree::clear);
        self.trees[0].add(start, u16::MAX);
        self.grows = 0;
    }

    /// Adds a goal pose.
    pub(super) fn add_goal(&mut self, pose: &[f64]) {
        if !self.trees[1].is_full() {
            self.trees[1].add(pose, u16::MAX);
        }
    }

    /// True when a tree has no room left.
    pub(super) fn is_full(&self) -> bool {
        self.trees.iter().any(Tree::is_full)
    }

    /// Grows one tree by one pose and tries to connect; the two nodes that met, if they did.
    pub(super) fn grow(
        &mut self,
        chain: &Chain<'_>,
        draws: &mut Draws,
        scratch: &mut Scratch,
        work: &mut u32,
    ) -> Option<(u16, u16)> {
        let (own, other) = (self.grows, 1 - self.grows);
        self.grows = other;
        self.draw(chain.limit, other, draws);
        let near = self.trees[own].nearest(&self.wanted);
        let fresh = self.extend(own, near, chain, scratch, work)?.0;
        self.trees[own].read(fresh, &mut self.wanted);
        let near = self.trees[other].nearest(&self.wanted);
        if self.trees[other].is_full() {
            return None;
        }
        let (met, is_whole) = self.extend(other, near, chain, scratch, work)?;
        if !is_whole {
            return None;
        }
        Some(if own == 0 { (fresh, met) } else { (met, fresh) })
    }

    /// What to grow towards: a smooth pose, one between start and goal, or a node of the other
    /// tree.
    fn draw(&mut self, limit: f64, other: usize, draws: &mut Draws) {
        match draws.below(8) {
            0 => {
                let node = draws.below(self.trees[other].len() as u32) as u16;
                self.trees[other].read(node, &mut self.wanted);
            }
            1..=3 => {
                let goals = self.trees[1].len().min(16) as u32;
                self.trees[1].read(draws.below(goals) as u16, &mut self.near);
                self.trees[0].read(0, &mut self.fresh);
                changes(&self.fresh, &self.near, &mut self.wanted);
                let share = f64::from(draws.uniform());
                draw_pose(draws, limit, 0.35, &mut self.near);
                self.near[0] *= 0.25;
                for ((wanted, start), noise) in
                    self.wanted.iter_mut().zip(&self.fresh).zip(&self.near)
                {
                    *wanted = start + share * *wanted + noise;
                }
                self.wanted[1..].iter_mut().for_each(|a| *a = clip(*a, -limit, limit));
            }
            4 => draw_pose(draws, limit, 0.9, &mut self.wanted),
            _ => draw_pose(draws, limit, 0.4, &mut self.wanted),
        }
    }

    /// Moves from a node towards the wanted pose as far as it is free.
    fn extend(
        &mut self,
        tree: usize,
        node: u16,
        chain: &Chain<'_>,
        scratch: &mut Scratch,
        work: &mut u32,
    ) -> Option<(u16, bool)> {
        self.trees[tree].read(node, &mut self.near);
        let ends = (&self.near[..], &self.wanted[..]);
        let part = free_part(chain, ends, scratch, LOOKS, work);
        let is_whole = part >= 1.0;
        if !is_whole && part * largest(&scratch.change) < PROGRESS {
            return None;
        }
        for ((fresh, from), change) in self.fresh.iter_mut().zip(&self.near).zip(&scratch.change) {
            *fresh = from + part * change;
        }
        Some((self.trees[tree].add(&self.fresh, node), is_whole))
    }

    /// Writes the route through two nodes that met, start first, into `out`.
    pub(super) fn route(&self, (from_start, from_goal): (u16, u16), out: &mut Route) {
        out.clear();
        let mut node = from_start;
        while node != u16::MAX && !out.is_full() {
            self.trees[0].read(node, out.push());
            node = self.trees[0].parents[usize::from(node)];
        }
        out.reverse();
        // The node of the other tree is the same pose again.
        node = self.trees[1].parents[usize::from(from_goal)];
        while node != u16::MAX && !out.is_full() {
            self.trees[1].read(node, out.push());
            node = self.trees[1].parents[usize::from(node)];
        }
    }
}

/// Poses to pass, start first.
#[derive(Debug, Default)]
pub(super) struct Route {
    angles: Vec<f64>,
    segments: usize,
    spare: Vec<f64>,
}

/// Most poses of a route.
pub(super) const STOPS: usize = 96;

impl Route {
    pub(super) fn reserve(&mut self, segments: usize) {
        self.segments = segments;
        self.angles = Vec::with_capacity(segments * STOPS);
        self.spare = alloc::vec![0.0; segments];
    }

    pub(super) fn clear(&mut self) {
        self.angles.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.angles.len() / self.segments.max(1)
    }

    pub(super) fn is_full(&self) -> bool {
        self.len() >= STOPS
    }

    pub(super) fn pose(&self, index: usize) -> &[f64] {
        &self.angles[index * self.segments..(index + 1) * self.segments]
    }

    pub(super) fn pose_mut(&mut self, index: usize) -> &mut [f64] {
        &mut self.angles[index * self.segments..(index + 1) * self.segments]
    }

    /// Appends a pose and gives it to be written.
    pub(super) fn push(&mut self) -> &mut [f64] {
        let start = self.angles.len();
        self.angles.resize(start + self.segments, 0.0);
        &mut self.angles[start..]
    }

    fn reverse(&mut self) {
        let count = self.len();
        for i in 0..count / 2 {
            for k in 0..self.segments {
                self.angles.swap(i * self.segments + k, (count - 1 - i) * self.segments + k);
            }
        }
    }

    fn remove(&mut self, range: core::ops::Range<usize>) {
        self.angles.drain(range.start * self.segments..range.end * self.segments);
    }

    /// Replaces the way between two random places of the route by the straight one, if free.
    pub(super) fn shorten(
        &mut self,
        chain: &Chain<'_>,
        draws: &mut Draws,
        scratch: &mut Scratch,
        work: &mut u32,
    ) {
        let count = self.len();
        if count < 3 {
            return;
        }
        let first = draws.below(count as u32 - 2) as usize;
        let second = first + 2 + draws.below((count - first - 2) as u32) as usize;
        let share = f64::from(draws.uniform());
        // A place between the two last poses of the stretch, so that corners can be cut.
        let cuts_corner = draws.below(2) == 1;
        self.spare.resize(self.segments, 0.0);
        let mut end = core::mem::take(&mut self.spare);
        end.copy_from_slice(self.pose(second));
        if cuts_corner {
            changes(self.pose(second), self.pose(second - 1), &mut scratch.change);
            end.iter_mut().zip(&scratch.change).for_each(|(e, c)| *e += share * c);
        }
        let part = free_part(chain, (self.pose(first), &end), scratch, LOOKS, work);
        if part >= 1.0 {
            if cuts_corner {
                self.pose_mut(second - 1).copy_from_slice(&end);
                self.remove(first + 1..second - 1);
            } else {
                self.remove(first + 1..second);
            }
        }
        self.spare = end;
    }
}
