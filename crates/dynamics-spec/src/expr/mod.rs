//! The small expressions of a specification.
//!
//! Grammar, weakest first: `||`, `&&`, `< <= > >=`, `+ -`, `* /`, prefix `- !`, `^` (to the right),
//! then numbers with an optional unit (`80ms`, `0.2rad`, `5/s` is a division), names with dots,
//! `name[index]`, calls, and `sum`, `min`, `max` over a list: `sum(k in rays: rays[k])`.

mod parse;
mod token;

pub use parse::parse;

/// A node with its place in the expression's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Byte offset in the expression's own text.
    pub at: usize,
    /// What it is.
    pub node: Node,
}

/// Kinds of node.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number and its unit symbol, if one follows directly.
    Number(f64, Option<String>),
    /// A name such as `dist`, `alpha.taxis` or `up.tx`.
    Name(String),
    /// An element of a list.
    Index(String, Box<Expr>),
    /// A prefix operator.
    Prefix(char, Box<Expr>),
    /// An operator between two operands.
    Infix(&'static str, Box<Expr>, Box<Expr>),
    /// A function call.
    Call(String, Vec<Expr>),
    /// `sum`, `min` or `max` of a body over the indices of a list.
    Fold {
        /// Which of the three.
        name: String,
        /// The index variable.
        variable: String,
        /// The list that gives the number of indices.
        list: String,
        /// What is folded.
        body: Box<Expr>,
    },
}

/// An expression that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset in the expression's text.
    pub at: usize,
    /// What is wrong.
    pub reason: String,
}

impl Expr {
    /// Calls `visit` on every name the expression reads; `inside` is true within `prev(…)`.
    pub fn names(&self, visit: &mut impl FnMut(&str, bool)) {
        self.walk(false, visit);
    }

    fn walk(&self, inside: bool, visit: &mut impl FnMut(&str, bool)) {
        match &self.node {
            Node::Number(..) => {}
            Node::Name(name) => visit(name, inside),
            Node::Index(name, index) => {
                visit(name, inside);
                index.walk(inside, visit);
            }
            Node::Prefix(_, a) => a.walk(inside, visit),
            Node::Infix(_, a, b) => {
                a.walk(inside, visit);
                b.walk(inside, visit);
            }
            Node::Call(name, arguments) => {
                for argument in arguments {
                    argument.walk(inside || name == "prev", visit);
                }
            }
            Node::Fold { body, .. } => body.walk(inside, visit),
        }
    }
}
