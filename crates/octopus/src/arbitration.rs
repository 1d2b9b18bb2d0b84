//! Arbitration before movement: who gets what when several arms want the same.
//!
//! Terms: an *intention* is all the centre knows of an arm: its priority and what it claims; a
//! *claim* is on a food or on a place; places within 2 px are one resource; the *incumbent* is the
//! arm to which the resource was granted in the tick before.
//!
//! Rule, arm after arm in this order: holders of food, then claims by assignment or by a grasp
//! under way, then incidental discoveries; within each, incumbents first; then the lowest arm
//! number. An arm is granted its claims when none of them is granted already. An arm that loses
//! its assignment's claim yields; one that loses a discovery leaves that food alone and goes on.
//!
//! What it does not do: it gives no arm a goal and plans no route.

use tropism_core::Tick;

use crate::constants::{ARMS, OUTCOMES_KEPT, SHARED_PLACE};
use crate::objects::ObjectId;
use crate::vector::Point;

/// Urgency of an intention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Nothing to do: 0.
    #[default]
    Idle,
    /// Food met on the way: 20.
    Discovery,
    /// An assignment: 50.
    Reaching,
    /// Holding or grasping: 60.
    Grip,
    /// Obstacles or lesser hazards nearby: 80.
    Avoidance,
    /// Away from a critical hazard: 100.
    Withdrawal,
}

impl Priority {
    /// The number shown to people.
    pub const fn value(self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Discovery => 20,
            Self::Reaching => 50,
            Self::Grip => 60,
            Self::Avoidance => 80,
            Self::Withdrawal => 100,
        }
    }
}

/// What one arm wants in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intention {
    /// How urgent it is.
    pub priority: Priority,
    /// The food it holds.
    pub holds: Option<ObjectId>,
    /// The food its assignment or its grasp is about.
    pub food: Option<ObjectId>,
    /// The place its assignment is about.
    pub place: Option<Point>,
    /// Food it has met on the way and could grasp.
    pub discovery: Option<ObjectId>,
}

/// What was contested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resource {
    /// A food.
    Food(ObjectId),
    /// A place.
    Place(Point),
}

/// Why the winner won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It holds the food.
    Owner,
    /// Its claim is an assignment, the other a discovery.
    Assigned,
    /// It was granted the resource in the tick before.
    Incumbent,
    /// It has the lower arm number.
    LowestNumber,
}

impl Reason {
    /// The reason as written to traces.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Assigned => "assigned",
            Self::Incumbent => "incumbent",
            Self::LowestNumber => "lowest number",
        }
    }
}

/// A settled conflict, kept when it begins or changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// When it was settled.
    pub tick: Tick,
    /// What it was about.
    pub resource: Resource,
    /// Index of the arm that has it.
    pub winner: usize,
    /// Index of the arm that does not.
    pub loser: usize,
    /// Why.
    pub reason: Reason,
    /// Priorities of winner and loser.
    pub priorities: (Priority, Priority),
}

/// What an arm was granted in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grant {
    /// Food it may hold or take.
    pub food: Option<ObjectId>,
    /// Place it may go to.
    pub place: Option<Point>,
    /// It has lost its assignment's claim for now.
    pub yields: bool,
}

/// The last conflict of an arm, to tell a new one from an old one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Standing {
    pub(crate) food: Option<ObjectId>,
    pub(crate) winner: Option<usize>,
}

/// Memory of the arbiter: last grants, and the outcomes of conflicts.
#[derive(Clone, Debug)]
pub struct Arbiter {
    pub(crate) grants: [Grant; ARMS],
    pub(crate) standings: [Standing; ARMS],
    outcomes: [Option<Outcome>; OUTCOMES_KEPT],
    pub(crate) conflicts: u64,
}

impl Default for Arbiter {
    fn default() -> Self {
        Self {
            grants: [Grant::default(); ARMS],
            standings: [Standing::default(); ARMS],
            outcomes: [None; OUTCOMES_KEPT],
            conflicts: 0,
        }
    }
}

/// Rank of a claim; higher goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Discovery,
    Assignment,
    Owner,
}

impl Arbiter {
    /// Conflicts settled so far.
    pub const fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// The last 64 outcomes, oldest first.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let next = (self.conflicts % OUTCOMES_KEPT as u64) as usize;
        let (newer, older) = self.outcomes.split_at(next);
        older.iter().chain(newer).flatten()
    }

    pub(crate) fn restore_outcome(&mut self, outcome: Outcome) {
        let at = (self.conflicts % OUTCOMES_KEPT as u64) as usize;
        self.outcomes[at] = Some(outcome);
        self.conflicts += 1;
    }

    /// What each arm was granted in the last tick.
    pub const fn grants(&self) -> &[Grant; ARMS] {
        &self.grants
    }

    /// Settles one tick. `may_share` names a pair (receiver, food) exempt from the owner's
    /// precedence: a hand-over.
    pub fn settle(
        &mut self,
        tick: Tick,
        wants: &[Intention; ARMS],
        may_share: impl Fn(usize, ObjectId) -> bool,
    ) -> &[Grant; ARMS] {
        let before = self.grants;
        let mut grants = [Grant::default(); ARMS];
        let mut standings = [Standing::default(); ARMS];
        for rank in [Rank::Owner, Rank::Assignment, Rank::Discovery] {
            for wants_incumbent in [true, false] {
                for arm in 0..ARMS {
                    let Some((food, place)) = claim_of(&wants[arm], rank) else {
                        continue;
                    };
                    let is_incumbent = !before[arm].yields && has(&before[arm], food, place);
                    if is_incumbent != wants_incumbent {
                        continue;
                    }
                    let taken = |food: Option<ObjectId>| food.is_none_or(|id| !may_share(arm, id));
                    let winner = (0..ARMS).find(|other| {
                        *other != arm
                            && ((taken(food) && food.is_some() && grants[*other].food == food)
                                || shares_place(grants[*other].place, place))
                    });
                    match winner {
                        None => {
                            grants[arm].food = food.or(grants[arm].food);
                            grants[arm].place = place.or(grants[arm].place);
                        }
                        Some(winner) => {
                            grants[arm].yields |= rank != Rank::Discovery;
                            standings[arm] = Standing { food, winner: Some(winner) };
                            if self.standings[arm] != standings[arm] {
                                let is_before = |g: &Grant| !g.yields && has(g, food, place);
                                let reason = reason(
                                    (&wants[winner], rank),
                                    food,
                                    is_before(&before[winner]) && !is_incumbent,
                                );
                                let priorities = (wants[winner].priority, wants[arm].priority);
                                let resource = match (food, place) {
                                    (Some(id), _) if grants[winner].food == food => {
                                        Resource::Food(id)
                                    }
                                    (_, Some(at)) => Resource::Place(at),
                                    (Some(id), None) => Resource::Food(id),
                                    (None, None) => continue,
                                };
                                self.restore_outcome(Outcome {
                                    tick,
                                    resource,
                                    winner,
                                    loser: arm,
                                    reason,
                                    priorities,
                                });
                            }
                        }
                    }
                }
            }
        }
        self.grants = grants;
        self.standings = standings;
        &self.grants
    }
}

/// What an arm claims at a rank.
fn claim_of(want: &Intention, rank: Rank) -> Option<(Option<ObjectId>, Option<Point>)> {
    match rank {
        Rank::Owner => want.holds.map(|id| (Some(id), want.place)),
        Rank::Assignment if want.holds.is_none() => {
            (want.food.is_some() || want.place.is_some()).then_some((want.food, want.place))
        }
        Rank::Assignment => None,
        Rank::Discovery => want.discovery.map(|id| (Some(id), None)),
    }
}

fn has(grant: &Grant, food: Option<ObjectId>, place: Option<Point>) -> bool {
    (food.is_some() && grant.food == food) || shares_place(grant.place, place)
}

fn shares_place(a: Option<Point>, b: Option<Point>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.distance(b) <= SHARED_PLACE)
}

fn reason((winner, rank): (&Intention, Rank), food: Option<ObjectId>, was: bool) -> Reason {
    if food.is_some() && winner.holds == food {
        Reason::Owner
    } else if rank == Rank::Discovery && winner.discovery != food {
        Reason::Assigned
    } else if was {
        Reason::Incumbent
    } else {
        Reason::LowestNumber
    }
}
