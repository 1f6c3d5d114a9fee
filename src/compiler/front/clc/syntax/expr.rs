//! Expressions. The grammar gives flat lists `operand operator operand ...`; operator precedence
//! (C99 6.5.5 to 6.5.16) is applied here with an operator stack, without recursion, so that long
//! chains need no deep stack.

use pest::iterators::Pairs;

use super::ast::*;
use super::{Builder, Node, Rule};
use crate::source::SourceLoc;

/// An operator that waits for its right side.
enum Infix {
    Binary(BinaryOp),
    Assign(Option<BinaryOp>),
    /// With what stands between `?` and `:`.
    Conditional(Option<Box<Expr>>),
}

/// Binding strength, weakest first; assignment and conditional bind to the right.
const ASSIGNMENT: u8 = 0;
const CONDITIONAL: u8 = 1;

pub(super) const BINARY: &[(&str, BinaryOp, u8)] = &[
    ("||", BinaryOp::LogOr, 2),
    ("&&", BinaryOp::LogAnd, 3),
    ("|", BinaryOp::Or, 4),
    ("^", BinaryOp::Xor, 5),
    ("&", BinaryOp::And, 6),
    ("==", BinaryOp::Eq, 7),
    ("!=", BinaryOp::Ne, 7),
    ("<", BinaryOp::Lt, 8),
    (">", BinaryOp::Gt, 8),
    ("<=", BinaryOp::Le, 8),
    (">=", BinaryOp::Ge, 8),
    ("<<", BinaryOp::Shl, 9),
    (">>", BinaryOp::Shr, 9),
    ("+", BinaryOp::Add, 10),
    ("-", BinaryOp::Sub, 10),
    ("*", BinaryOp::Mul, 11),
    ("/", BinaryOp::Div, 11),
    ("%", BinaryOp::Rem, 11),
];

/// Binding strengths, assignment and conditional included.
const STRENGTHS: usize = 12;
/// Operators of an expression of which the depth is not counted exactly: it is no more than these.
const FEW: usize = 64;

pub(super) const UNARY: &[(&str, UnaryOp)] = &[
    ("+", UnaryOp::Plus),
    ("-", UnaryOp::Minus),
    ("!", UnaryOp::Not),
    ("~", UnaryOp::BitNot),
    ("*", UnaryOp::Deref),
    ("&", UnaryOp::AddrOf),
    ("++", UnaryOp::PreInc),
    ("--", UnaryOp::PreDec),
];

/// An infix operator, or the one that an assignment applies before, with its strength.
fn operator(node: &Node) -> (Option<BinaryOp>, u8) {
    if node.as_rule() == Rule::conditional {
        return (None, CONDITIONAL);
    }
    let text = node.as_str();
    if let Some(&(_, op, strength)) = BINARY.iter().find(|row| row.0 == text) {
        return (Some(op), strength);
    }
    let op = text.strip_suffix('=').unwrap_or(text);
    let op = BINARY.iter().find(|row| row.0 == op).map(|row| row.1);
    (op, ASSIGNMENT)
}

/// An upper bound of the depth of a tree: operators get stronger on the way down, so of each strength
/// there are no more than stand between two weaker ones.
fn depth(children: Pairs<Rule>) -> usize {
    let (mut now, mut most) = ([0; STRENGTHS], [0; STRENGTHS]);
    for child in children.filter(|c| c.as_rule() != Rule::operand) {
        let strength = usize::from(operator(&child).1);
        now[strength + 1..].fill(0);
        now[strength] += 1;
        most[strength] = now[strength].max(most[strength]);
    }
    most.iter().sum()
}

impl Builder<'_> {
    /// What the grammar guarantees to be there.
    #[track_caller]
    pub fn required(&mut self, expr: Option<Expr>, loc: SourceLoc) -> Expr {
        expr.unwrap_or_else(|| {
            self.sink.internal("an expression is missing in the match");
            Self::placeholder(loc)
        })
    }

    /// Stands for what could not be built, which has been reported.
    fn placeholder(loc: SourceLoc) -> Expr {
        Expr {
            kind: ExprKind::Error,
            loc,
        }
    }

    /// Comma operators, or one assignment expression.
    pub fn expression(&mut self, node: Node) -> Expr {
        let loc = self.loc(&node);
        let children = node.into_inner();
        let commas = children.len() / 2;
        let result = self.deeper(commas, loc, |b| {
            let mut result = None;
            let mut comma = loc;
            for child in children {
                if child.as_rule() == Rule::comma {
                    comma = b.loc(&child);
                    continue;
                }
                let right = b.assignment(child);
                result = Some(match result {
                    None => right,
                    Some(left) => Expr {
                        kind: ExprKind::Comma(Box::new(left), Box::new(right)),
                        loc: comma,
                    },
                });
            }
            b.required(result, loc)
        });
        result.unwrap_or_else(|| Self::placeholder(loc))
    }

    /// Applies the precedences of everything that binds tighter than a comma.
    pub fn assignment(&mut self, node: Node) -> Expr {
        let loc = self.loc(&node);
        let children = node.into_inner();
        let levels = match children.len() / 2 {
            operators @ ..=FEW => operators,
            _ => depth(children.clone()),
        };
        self.deeper(levels, loc, |b| b.climb(children, loc))
            .unwrap_or_else(|| Self::placeholder(loc))
    }

    fn climb(&mut self, children: Pairs<Rule>, loc: SourceLoc) -> Expr {
        let mut operands: Vec<Expr> = Vec::new();
        let mut waiting: Vec<(Infix, u8, SourceLoc)> = Vec::new();
        for child in children {
            if child.as_rule() == Rule::operand {
                operands.push(self.operand(child));
                continue;
            }
            let at = self.loc(&child);
            let (infix, strength) = self.infix(child);
            let binds_right = strength <= CONDITIONAL;
            while waiting
                .last()
                .is_some_and(|w| w.1 > strength || w.1 == strength && !binds_right)
            {
                reduce(&mut operands, &mut waiting);
            }
            waiting.push((infix, strength, at));
        }
        while !waiting.is_empty() {
            reduce(&mut operands, &mut waiting);
        }
        let result = operands.pop();
        self.required(result, loc)
    }

    fn infix(&mut self, node: Node) -> (Infix, u8) {
        let (op, strength) = operator(&node);
        let infix = match (strength, op) {
            (CONDITIONAL, _) => {
                let middle = node.into_inner().find(|c| c.as_rule() == Rule::expression);
                Infix::Conditional(middle.map(|e| Box::new(self.expression(e))))
            }
            (ASSIGNMENT, _) | (_, None) => Infix::Assign(op),
            (_, Some(op)) => Infix::Binary(op),
        };
        (infix, strength)
    }

    /// `prefix* primary postfix*`
    fn operand(&mut self, node: Node) -> Expr {
        let loc = self.loc(&node);
        let children = node.into_inner();
        let operators = children.len() - 1;
        self.deeper(operators, loc, |b| b.affixes(children, loc))
            .unwrap_or_else(|| Self::placeholder(loc))
    }

    fn affixes(&mut self, children: Pairs<Rule>, loc: SourceLoc) -> Expr {
        let mut prefixes: Vec<Node> = Vec::new();
        let mut result = None;
        // `sizeof (type){...}`: applies behind the postfix operators.
        let mut measure = None;
        for child in children {
            match child.as_rule() {
                Rule::prefix | Rule::cast => prefixes.push(child),
                Rule::size_of_type => {
                    let (expr, word) = self.size_of_type(child);
                    result = Some(expr);
                    measure = word;
                }
                _ => {
                    result = Some(match result.take() {
                        None => self.primary(child, &mut prefixes),
                        Some(base) => self.postfix(base, child),
                    });
                }
            }
        }
        let mut result = self.required(result, loc);
        if let Some((word, loc)) = measure {
            result = measured(word, result, loc);
        }
        while let Some(prefix) = prefixes.pop() {
            result = self.prefix(prefix, result);
        }
        result
    }

    fn prefix(&mut self, node: Node, operand: Expr) -> Expr {
        let loc = self.loc(&node);
        if node.as_rule() == Rule::cast {
            let kind = match node.into_inner().next() {
                Some(ty) => ExprKind::Cast(Box::new(self.type_name(ty)), Box::new(operand)),
                None => return operand,
            };
            return Expr { kind, loc };
        }
        let text = node.as_str().trim_start();
        match UNARY.iter().find(|row| row.0 == text) {
            Some(&(_, op)) => Expr {
                kind: ExprKind::Unary(op, Box::new(operand)),
                loc,
            },
            None if text == "extension" => operand,
            None => measured(text, operand, loc),
        }
    }

    /// What an operand is built around. A type before a brace list or before a parenthesised list
    /// makes a literal of it, which is primary (OpenCL C, "Vector Literals"): that prefix is taken.
    fn primary(&mut self, node: Node, prefixes: &mut Vec<Node>) -> Expr {
        let token = self.token(&node);
        let loc = token.loc;
        let kind = match node.as_rule() {
            Rule::name => ExprKind::Ident(token.text.clone()),
            Rule::number => ExprKind::Number(token.text.clone()),
            Rule::character => ExprKind::Char(token.text.clone()),
            Rule::string => ExprKind::Str(self.string(&node)),
            Rule::parenthesised => return self.parenthesised(node, prefixes),
            Rule::initializer_list => {
                let Some((ty, loc)) = self.take_cast(prefixes) else {
                    self.sink.error(loc, "expected expression");
                    return Self::placeholder(loc);
                };
                let list = Box::new(self.initializer(node));
                return Expr {
                    kind: ExprKind::CompoundLiteral(ty, list),
                    loc,
                };
            }
            Rule::offset_of => return self.offset_of(node),
            Rule::as_type => return self.as_type(node),
            Rule::types_compatible => return self.types_compatible(node),
            Rule::selection => return self.selection(node),
            Rule::block_literal => {
                let (mut ty, mut params) = (None, Vec::new());
                let mut body = Block::default();
                for child in node.into_inner() {
                    match child.as_rule() {
                        Rule::type_name => ty = Some(Box::new(self.type_name(child))),
                        Rule::parameters => params = self.parameters(child).0,
                        Rule::block => body = self.block(child),
                        _ => self.unexpected(&child),
                    }
                }
                ExprKind::BlockLiteral(ty, params, body)
            }
            Rule::broken => ExprKind::Error,
            _ => {
                self.unexpected(&node);
                return Self::placeholder(loc);
            }
        };
        Expr { kind, loc }
    }

    /// The innermost prefix, if it is a cast: its type and place.
    fn take_cast(&mut self, prefixes: &mut Vec<Node>) -> Option<(Box<TypeName>, SourceLoc)> {
        let cast = prefixes.pop_if(|p| p.as_rule() == Rule::cast)?;
        let loc = self.loc(&cast);
        let ty = cast.into_inner().next()?;
        Some((Box::new(self.type_name(ty)), loc))
    }

    fn parenthesised(&mut self, node: Node, prefixes: &mut Vec<Node>) -> Expr {
        let mut loc = self.loc(&node);
        let Some(inner) = node.into_inner().next() else {
            return self.required(None, loc);
        };
        if inner.as_rule() == Rule::block {
            let kind = ExprKind::StatementExpr(self.block(inner));
            return Expr { kind, loc };
        }
        let is_list = inner
            .clone()
            .into_inner()
            .any(|c| c.as_rule() == Rule::comma);
        let kind = match is_list.then(|| self.take_cast(prefixes)).flatten() {
            Some((ty, at)) => {
                loc = at;
                let items = inner
                    .into_inner()
                    .filter(|c| c.as_rule() == Rule::assignment);
                ExprKind::VectorLiteral(ty, items.map(|e| self.assignment(e)).collect())
            }
            None => ExprKind::Paren(Box::new(self.expression(inner))),
        };
        Expr { kind, loc }
    }

    pub fn string(&self, node: &Node) -> Vec<Name> {
        let first = self.index(node);
        let tokens = &self.chunk.tokens[first..first + node.as_str().len()];
        tokens.iter().map(|t| t.text.clone()).collect()
    }

    /// `sizeof (type)`; with a brace list, the compound literal and what measures it.
    fn size_of_type<'n>(&mut self, node: Node<'n>) -> (Expr, Option<(&'n str, SourceLoc)>) {
        let loc = self.loc(&node);
        let mut word = "sizeof";
        let mut ty = None;
        let mut literal = None;
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::size_word => word = child.as_str(),
                Rule::type_name => ty = Some(Box::new(self.type_name(child))),
                Rule::initializer_list => literal = Some(Box::new(self.initializer(child))),
                _ => {}
            }
        }
        let Some(ty) = ty else {
            return (self.required(None, loc), None);
        };
        let (kind, word) = match literal {
            Some(list) => (ExprKind::CompoundLiteral(ty, list), Some((word, loc))),
            None => {
                let kind = match word {
                    "alignof" => ExprKind::AlignofType(ty),
                    "vec_step" => ExprKind::VecStepType(ty),
                    _ => ExprKind::SizeofType(ty),
                };
                (kind, None)
            }
        };
        (Expr { kind, loc }, word)
    }

    fn offset_of(&mut self, node: Node) -> Expr {
        let loc = self.loc(&node);
        let mut ty = None;
        let mut path = Vec::new();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::type_name => ty = Some(Box::new(self.type_name(child))),
                Rule::member_name => {
                    path.push(Designator::Field(self.name(&child), self.loc(&child)));
                }
                Rule::field_designator | Rule::index_designator => {
                    path.extend(self.designator(child));
                }
                _ => {}
            }
        }
        match ty {
            Some(ty) => Expr {
                kind: ExprKind::Offsetof(ty, path),
                loc,
            },
            None => self.required(None, loc),
        }
    }

    fn as_type(&mut self, node: Node) -> Expr {
        let loc = self.loc(&node);
        let is_conversion = self.token(&node).text.ends_with("convertvector");
        let mut operand = None;
        let mut ty = None;
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::assignment => operand = Some(Box::new(self.assignment(child))),
                Rule::type_name => ty = Some(Box::new(self.type_name(child))),
                _ => {}
            }
        }
        match (operand, ty) {
            (Some(operand), Some(ty)) => Expr {
                kind: match is_conversion {
                    true => ExprKind::ConvertVector(operand, ty),
                    false => ExprKind::AsType(operand, ty),
                },
                loc,
            },
            _ => self.required(None, loc),
        }
    }

    fn types_compatible(&mut self, node: Node) -> Expr {
        let loc = self.loc(&node);
        let names = node.into_inner().filter(|n| n.as_rule() == Rule::type_name);
        let mut names = names.map(|n| Box::new(self.type_name(n)));
        let (a, b) = (names.next(), names.next());
        drop(names);
        match (a, b) {
            (Some(a), Some(b)) => Expr {
                kind: ExprKind::TypesCompatible(a, b),
                loc,
            },
            _ => self.required(None, loc),
        }
    }

    fn selection(&mut self, node: Node) -> Expr {
        let loc = self.loc(&node);
        let mut operand = None;
        let mut associations = Vec::new();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::assignment => operand = Some(Box::new(self.assignment(child))),
                Rule::association => associations.extend(self.association(child)),
                _ => {}
            }
        }
        match operand {
            Some(operand) => Expr {
                kind: ExprKind::Selection(operand, associations),
                loc,
            },
            None => self.required(None, loc),
        }
    }

    fn association(&mut self, node: Node) -> Option<Association> {
        let loc = self.loc(&node);
        let (mut ty, mut value) = (None, None);
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::type_name => ty = Some(self.type_name(child)),
                Rule::assignment => value = Some(self.assignment(child)),
                _ => {}
            }
        }
        value.map(|value| Association { ty, value, loc })
    }

    fn postfix(&mut self, base: Expr, node: Node) -> Expr {
        let base_loc = base.loc;
        let operator = self.loc(&node);
        let base = Box::new(base);
        let (kind, loc) = match node.as_rule() {
            Rule::call => {
                let args = node
                    .into_inner()
                    .filter(|c| c.as_rule() == Rule::assignment);
                let args = args.map(|a| self.assignment(a)).collect();
                (ExprKind::Call(base, args), base_loc)
            }
            Rule::index => {
                let index = node.into_inner().next().map(|e| self.expression(e));
                let index = Box::new(self.required(index, operator));
                (ExprKind::Index(base, index), base_loc)
            }
            Rule::member_of | Rule::arrow => {
                let is_arrow = node.as_rule() == Rule::arrow;
                let member = node.into_inner().next();
                let loc = member.as_ref().map_or(operator, |m| self.loc(m));
                let name = member.map(|m| self.name(&m)).unwrap_or_default();
                match is_arrow {
                    true => (ExprKind::Arrow(base, name), loc),
                    false => (ExprKind::Member(base, name), loc),
                }
            }
            Rule::increment => (ExprKind::PostInc(base), operator),
            Rule::decrement => (ExprKind::PostDec(base), operator),
            _ => {
                self.unexpected(&node);
                return *base;
            }
        };
        Expr { kind, loc }
    }
}

/// `sizeof`, `alignof` or `vec_step` of an expression.
fn measured(word: &str, operand: Expr, loc: SourceLoc) -> Expr {
    let operand = Box::new(operand);
    let kind = match word {
        "alignof" => ExprKind::AlignofExpr(operand),
        "vec_step" => ExprKind::VecStepType(Box::new(type_of(operand, loc))),
        _ => ExprKind::SizeofExpr(operand),
    };
    Expr { kind, loc }
}

fn type_of(operand: Box<Expr>, loc: SourceLoc) -> TypeName {
    TypeName {
        specs: DeclSpecs {
            types: vec![(TypeSpec::TypeofExpr(operand), loc)],
            loc,
            ..DeclSpecs::default()
        },
        declarator: Declarator {
            loc,
            ..Declarator::default()
        },
        loc,
    }
}

/// Gives the last waiting operator its two sides.
fn reduce(operands: &mut Vec<Expr>, waiting: &mut Vec<(Infix, u8, SourceLoc)>) {
    let Some((infix, _, loc)) = waiting.pop() else {
        return;
    };
    let (Some(right), Some(left)) = (operands.pop(), operands.pop()) else {
        return;
    };
    let (left, right) = (Box::new(left), Box::new(right));
    let kind = match infix {
        Infix::Binary(op) => ExprKind::Binary(op, left, right),
        Infix::Assign(op) => ExprKind::Assign(op, left, right),
        Infix::Conditional(middle) => ExprKind::Conditional(left, middle, right),
    };
    operands.push(Expr { kind, loc });
}
