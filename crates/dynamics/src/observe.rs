//! Watching a tick from inside: why is a behaviour active?
//!
//! Terms: a *change* is what one T-term or the product term added to an activation in one step,
//! before the clamp; a *pull* is what one behaviour asked of one actuator.
//!
//! What it does not do: an observer sees values and cannot alter them. Without an observer the
//! calls vanish from the compiled tick.

/// Receives what a tick computes on the way. Indices are those of the table's records.
pub trait Observer<R> {
    /// A layer begins its step; what follows belongs to it.
    fn layer(&mut self, layer: u16) {
        let _ = layer;
    }

    /// A user k moved a behaviour j: activation A, term T in 1/s, change dt·A·T.
    fn term(&mut self, user: u16, behaviour: u16, term: Term<R>) {
        let _ = (user, behaviour, term);
    }

    /// The product term moved a behaviour: change −dt·κ·α·Π(1 − A).
    fn decay(&mut self, behaviour: u16, change: R) {
        let _ = (behaviour, change);
    }

    /// A behaviour pulled an actuator: target g, weight τ·α or λ·α·dt.
    fn target(&mut self, target: u16, actuator: u16, goal: R, weight: R) {
        let _ = (target, actuator, goal, weight);
    }

    /// An expression gave no finite number and was left out.
    fn fault(&mut self, fault: Fault) {
        let _ = fault;
    }
}

/// What a T-term did in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term<R> {
    /// The user's activation A.
    pub activation: R,
    /// T in 1/s.
    pub rate: R,
    /// dt·A·T.
    pub change: R,
}

/// Which expression failed to give a finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A percept; it kept its value.
    Percept(u16),
    /// A user's T-term; it counted as 0.
    Term(u16),
    /// A target or its rate; the behaviour did not pull this actuator in this step.
    Target(u16),
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<R> Observer<R> for Unobserved {}
