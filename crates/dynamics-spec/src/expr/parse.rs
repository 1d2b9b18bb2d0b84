//! Precedence parsing of expressions.

use super::token::{Placed, Token, tokens};
use super::{Expr, Node, SyntaxError};

/// Deepest nesting of parentheses, calls and prefixes.
const NESTING: usize = 64;

/// Most tokens of an expression. A chain of operators is a tree as deep as it is long, and what
/// walks it keeps a frame for every step.
const TOKENS_MAX: usize = 1024;

/// Reads an expression.
///
/// # Errors
/// [`SyntaxError`] with the offset of the token that does not fit.
pub fn parse(text: &str) -> Result<Expr, SyntaxError> {
    let tokens = tokens(text)?;
    if let Some((at, _)) = tokens.get(TOKENS_MAX) {
        let reason = format!("longer than {TOKENS_MAX} tokens; put parts of it into percepts");
        return Err(SyntaxError { at: *at, reason });
    }
    let mut parser = Parser { tokens, next: 0, depth: 0 };
    let expr = parser.expression(0)?;
    match parser.take() {
        (_, Token::End) => Ok(expr),
        (at, token) => Err(SyntaxError { at, reason: format!("{} is too much", show(&token)) }),
    }
}

struct Parser {
    tokens: Vec<Placed>,
    next: usize,
    depth: usize,
}

fn show(token: &Token) -> String {
    match token {
        Token::Number(value, _) => format!("the number {value}"),
        Token::Name(name) => format!("`{name}`"),
        Token::Symbol(symbol) => format!("`{symbol}`"),
        Token::End => "the end".to_owned(),
    }
}

/// Binding strength of an operator, and of its right operand.
fn strength(symbol: &str) -> Option<(u8, u8)> {
    Some(match symbol {
        "||" => (1, 2),
        "&&" => (3, 4),
        "<" | "<=" | ">" | ">=" => (5, 6),
        "+" | "-" => (7, 8),
        "*" | "/" => (9, 10),
        "^" => (14, 13),
        _ => return None,
    })
}

/// Strength with which a prefix holds its operand: below `^`, so −x^2 is −(x^2).
const PREFIX: u8 = 11;

impl Parser {
    fn peek(&self) -> &Placed {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn take(&mut self) -> Placed {
        let token = self.peek().clone();
        self.next += 1;
        token
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), SyntaxError> {
        match self.take() {
            (_, Token::Symbol(found)) if found == symbol => Ok(()),
            (at, token) => Err(SyntaxError {
                at,
                reason: format!("`{symbol}` expected, not {}", show(&token)),
            }),
        }
    }

    fn has(&mut self, symbol: &'static str) -> bool {
        let is_there = self.peek().1 == Token::Symbol(symbol);
        self.next += usize::from(is_there);
        is_there
    }

    fn expression(&mut self, least: u8) -> Result<Expr, SyntaxError> {
        self.depth += 1;
        if self.depth > NESTING {
            let reason = format!("nested deeper than {NESTING}");
            return Err(SyntaxError { at: self.peek().0, reason });
        }
        let mut left = self.operand()?;
        while let (at, Token::Symbol(symbol)) = self.peek().clone() {
            let Some((strength, right)) = strength(symbol) else { break };
            if strength < least {
                break;
            }
            self.next += 1;
            let right = self.expression(right)?;
            left = Expr { at, node: Node::Infix(symbol, Box::new(left), Box::new(right)) };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expr, SyntaxError> {
        let (at, token) = self.take();
        let node = match token {
            Token::Number(value, unit) => Node::Number(value, unit),
            Token::Symbol("-") => Node::Prefix('-', Box::new(self.expression(PREFIX)?)),
            Token::Symbol("!") => Node::Prefix('!', Box::new(self.expression(PREFIX)?)),
            Token::Symbol("(") => {
                let inner = self.expression(0)?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Name(name) if self.has("[") => {
                let index = self.expression(0)?;
                self.expect("]")?;
                Node::Index(name, Box::new(index))
            }
            Token::Name(name) if self.has("(") => self.call(name)?,
            Token::Name(name) => Node::Name(name),
            other => {
                let reason = format!("a number, name or `(` expected, not {}", show(&other));
                return Err(SyntaxError { at, reason });
            }
        };
        Ok(Expr { at, node })
    }

    fn call(&mut self, name: String) -> Result<Node, SyntaxError> {
        if matches!(name.as_str(), "sum" | "min" | "max") && self.is_fold() {
            let variable = self.name()?;
            self.next += 1;
            let list = self.name()?;
            self.expect(":")?;
            let body = Box::new(self.expression(0)?);
            self.expect(")")?;
            return Ok(Node::Fold { name, variable, list, body });
        }
        let mut arguments = Vec::new();
        if self.has(")") {
            return Ok(Node::Call(name, arguments));
        }
        loop {
            arguments.push(self.expression(0)?);
            if !self.has(",") {
                self.expect(")")?;
                return Ok(Node::Call(name, arguments));
            }
        }
    }

    fn is_fold(&self) -> bool {
        let second = self.tokens.get(self.next + 1);
        second.is_some_and(|(_, token)| *token == Token::Name("in".to_owned()))
    }

    fn name(&mut self) -> Result<String, SyntaxError> {
        match self.take() {
            (_, Token::Name(name)) => Ok(name),
            (at, token) => {
                Err(SyntaxError { at, reason: format!("a name expected, not {}", show(&token)) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, shown: &str) {
        assert_eq!(write(&parse(text).unwrap()), shown);
    }

    fn write(expr: &Expr) -> String {
        let list = |items: &[Expr]| items.iter().map(write).collect::<Vec<_>>().join(" ");
        match &expr.node {
            Node::Number(value, unit) => format!("{value}{}", unit.as_deref().unwrap_or("")),
            Node::Name(name) => name.clone(),
            Node::Index(name, index) => format!("{name}[{}]", write(index)),
            Node::Prefix(c, a) => format!("({c} {})", write(a)),
            Node::Infix(op, a, b) => format!("({op} {} {})", write(a), write(b)),
            Node::Call(name, arguments) => format!("({name} {})", list(arguments)),
            Node::Fold { name, variable, list, body } => {
                format!("({name} {variable} {list} {})", write(body))
            }
        }
    }

    #[test]
    fn unit_operators_bind_as_in_mathematics() {
        check("1 + 2*x^2", "(+ 1 (* 2 (^ x 2)))");
        check("-x^2", "(- (^ x 2))");
        check("a - b - c", "(- (- a b) c)");
        check("2^3^2", "(^ 2 (^ 3 2))");
        check("a < b && !c || d", "(|| (&& (< a b) (! c)) d)");
        check("(1 - alpha.rest)/80ms", "(/ (- 1 alpha.rest) 80ms)");
        check("sum(k in rays: w[k]*rays[k])", "(sum k rays (* w[k] rays[k]))");
        check("min(a, 2)", "(min a 2)");
        check("1e-3 + 2.5e2m", "(+ 0.001 250m)");
    }

    #[test]
    fn unit_a_syntax_error_tells_the_column() {
        for (text, at) in [("1 +", 3), ("f(1,", 4), ("a $ b", 2), ("(a", 2), ("a b", 2)] {
            assert_eq!(parse(text).unwrap_err().at, at, "{text}");
        }
        let deep = format!("{}1{}", "(".repeat(80), ")".repeat(80));
        assert!(parse(&deep).unwrap_err().reason.contains("nested"));
    }
}
