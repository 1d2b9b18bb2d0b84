//! What an arm displays: a summary, not a physical fact.

/// Displayed state of an arm; the first that fits, from top to bottom.
///
/// Withdrawing and Yielding come first because they say why an arm does not do what it was told.
/// In a scene without arbitration they never occur and the order is that of the public model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A critical hazard makes the arm retreat, or its clearance is not yet certain.
    Withdrawing,
    /// Another arm has what this one was sent to.
    Yielding,
    /// A movement was rejected, or the objective lies inside an obstacle's clearance region.
    Blocked,
    /// Obstacles or a hazard redirect the movement.
    Avoiding,
    /// A grip exists and the arm is not moving the object.
    Holding,
    /// Carrying held food towards the body.
    Retracting,
    /// Carrying held food to its destination.
    Carrying,
    /// Adjacent food contact is being held for the required time.
    Grasping,
    /// Sensors touch an object.
    Contact,
    /// No assignment and nothing else to show.
    Idle,
    /// The tip lies within the arrival tolerance.
    Reached,
    /// Working towards a tip objective.
    Reaching,
}

impl State {
    /// The state's name as displayed and written to traces.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Withdrawing => "Withdrawing",
            Self::Yielding => "Yielding",
            Self::Blocked => "Blocked",
            Self::Avoiding => "Avoiding",
            Self::Holding => "Holding",
            Self::Retracting => "Retracting",
            Self::Carrying => "Carrying",
            Self::Grasping => "Grasping",
            Self::Contact => "Contact",
            Self::Idle => "Idle",
            Self::Reached => "Reached",
            Self::Reaching => "Reaching",
        }
    }
}

/// What the arm's law says of the tip's way to the target, apart from tasks and grips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A movement was refused or the target is covered.
    Blocked,
    /// Obstacles redirect the movement.
    Avoiding,
    /// The tip is within tolerance.
    Reached,
    /// The target is further away than the arm is long.
    BeyondReach,
    /// The law found no pose that brings the tip to the target.
    Unreachable,
    /// Under way.
    Reaching,
}

impl Status {
    /// The status as displayed and written to traces.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blocked => "Blocked",
            Self::Avoiding => "Avoiding",
            Self::Reached => "Reached",
            Self::BeyondReach => "Beyond reach",
            Self::Unreachable => "Unreachable",
            Self::Reaching => "Reaching",
        }
    }
}
