//! Range-based for, and structured bindings.

use std::sync::Arc;

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::{Entity, Spec};
use super::super::tree::{self, Stmt};
use super::super::types::QualTy;
use super::BlockKind;
use crate::front::clc::syntax::ast::{
    BinaryOp, Block, DeclPart, DeclSpecs, Declaration, Declarator, Expr, ExprKind, InitDeclarator,
    Initializer, Name, Stmt as Tree, StmtKind, TypeSpec, UnaryOp,
};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Bindings, Condition, Decl};
use crate::ir::Unroll;
use crate::source::SourceLoc;

/// Names that no program has.
const RANGE: &str = "(range)";
const BEGIN: &str = "(begin)";
const END: &str = "(end)";
const TUPLE: &str = "(tuple)";

fn ident(name: &str, loc: SourceLoc) -> Expr {
    let kind = ExprKind::Ident(name.into());
    Expr { kind, loc }
}

/// `auto name = init`, or `auto &&name`.
fn auto_decl(name: &str, parts: Vec<DeclPart>, init: Expr, loc: SourceLoc) -> Declaration {
    let specs = DeclSpecs {
        types: vec![(TypeSpec::Cxx(cxx::TypeSpec::Auto), loc)],
        loc,
        ..DeclSpecs::default()
    };
    let declarator = Declarator {
        name: Some(name.into()),
        parts,
        loc,
        ..Declarator::default()
    };
    Declaration {
        specs,
        declarators: vec![InitDeclarator {
            declarator,
            init: Some(Initializer::Expr(init)),
        }],
        loc,
    }
}

impl Sema<'_> {
    pub(super) fn range_for(
        &mut self,
        init: Option<&Tree>,
        decl: &Decl,
        body: &Tree,
        unroll: Unroll,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        self.scopes.push();
        self.open_block(BlockKind::Plain);
        let mut inner = Vec::new();
        if let Some(init) = init {
            self.stmt(init, Unroll::Auto, &mut inner);
        }
        self.range_parts(decl, body, unroll, loc, &mut inner);
        self.close_block(&mut inner);
        self.scopes.pop();
        Self::add_scope(inner, loc, out);
    }

    fn range_parts(
        &mut self,
        decl: &Decl,
        body: &Tree,
        unroll: Unroll,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        let range = match decl {
            Decl::Simple(d) => match d.declarators.first().and_then(|i| i.init.as_ref()) {
                Some(Initializer::Expr(e)) => e.clone(),
                _ => return,
            },
            Decl::Bindings(b) => b.init.clone(),
            _ => return,
        };
        let at = range.begin();
        if !self.range_object(&range, at, out) {
            return;
        }
        let Some((begin, end)) = self.range_ends(at) else {
            return;
        };
        let begin = auto_decl(BEGIN, Vec::new(), begin, at);
        self.cxx_declaration(&begin, false, out);
        let end = auto_decl(END, Vec::new(), end, at);
        self.cxx_declaration(&end, false, out);
        let unary = |op, name: &str| Expr {
            kind: ExprKind::Unary(op, Box::new(ident(name, at))),
            loc: at,
        };
        let element = unary(UnaryOp::Deref, BEGIN);
        let declared = match decl {
            Decl::Simple(d) => {
                let mut d = (**d).clone();
                if let Some(item) = d.declarators.first_mut() {
                    item.init = Some(Initializer::Expr(element));
                }
                Decl::Simple(Arc::new(d))
            }
            Decl::Bindings(b) => {
                let mut b = (**b).clone();
                b.init = element;
                Decl::Bindings(Arc::new(b))
            }
            _ => return,
        };
        let statement = |kind| Tree {
            kind,
            attributes: Vec::new(),
            loc,
        };
        let declared = StmtKind::Cxx(Box::new(cxx::Stmt::Decl(declared)));
        let block = Block {
            items: vec![statement(declared), body.clone()],
            loc,
            end: loc,
        };
        let cond = ExprKind::Binary(
            BinaryOp::Ne,
            Box::new(ident(BEGIN, at)),
            Box::new(ident(END, at)),
        );
        let cond = Condition::Expr(Expr {
            kind: cond,
            loc: at,
        });
        let stmt = cxx::Stmt::For {
            init: None,
            cond: Some(cond),
            step: Some(unary(UnaryOp::PreInc, BEGIN)),
            body: Box::new(statement(StmtKind::Block(block))),
        };
        self.cxx_stmt(&stmt, unroll, loc, out);
    }

    /// Declares what is run through: an array or object, or one made of a list.
    fn range_object(&mut self, range: &Expr, at: SourceLoc, out: &mut Vec<Stmt>) -> bool {
        if let ExprKind::Cxx(inner) = &range.kind
            && let cxx::Expr::List(Initializer::List(items, loc)) = &**inner
        {
            let Some((_, Initializer::Expr(first))) = items.first() else {
                self.error(at, "a range that is an empty list is not supported");
                return false;
            };
            let operand = self.operand(first);
            let value = self.value_of(operand);
            if self.is_error(&value) {
                return false;
            }
            let elem = QualTy::plain(value.ty);
            let count = items.len() as u64;
            let kind = super::super::types::TypeKind::Array(elem, Some(count));
            let ty = self.types.intern(kind);
            let list = Initializer::List(items.clone(), *loc);
            let name: Name = RANGE.into();
            let variable = super::super::decl::Variable {
                name,
                spec: super::super::scope::Spec::plain(ty),
                storage: None,
                align: 1,
                init: Some(&list),
                loc: at,
            };
            out.extend(self.variable(variable));
            return true;
        }
        let operand = self.operand(range);
        let ty = self.operand_type(&operand).ty;
        if self.types.is_error(ty) {
            return false;
        }
        let e = self.stash(operand, at);
        let d = auto_decl(RANGE, vec![DeclPart::Reference(true)], e, at);
        self.cxx_declaration(&d, false, out);
        !matches!(
            self.scopes.find(RANGE).map(|s| s.entity),
            Some(Entity::Error) | None
        )
    }

    /// The expressions of the first element and of the end.
    fn range_ends(&mut self, at: SourceLoc) -> Option<(Expr, Expr)> {
        let range = self.operand(&ident(RANGE, at));
        let ty = self.operand_type(&range).ty;
        if let Some((_, Some(count))) = self.types.element(ty) {
            let begin = ident(RANGE, at);
            let number = self.int_const(count as i64, super::super::types::Prim::ULong, at);
            let number = self.stash(Operand::Value(number), at);
            let kind =
                ExprKind::Binary(BinaryOp::Add, Box::new(ident(RANGE, at)), Box::new(number));
            return Some((begin, Expr { kind, loc: at }));
        }
        self.complete(ty, at);
        let by_member =
            self.member_entity(ty, "begin").is_some() && self.member_entity(ty, "end").is_some();
        let call = |name: &str| {
            let callee = match by_member {
                true => ExprKind::Member(Box::new(ident(RANGE, at)), name.into()),
                false => ExprKind::Ident(name.into()),
            };
            let args = match by_member {
                true => Vec::new(),
                false => vec![ident(RANGE, at)],
            };
            let callee = Box::new(Expr {
                kind: callee,
                loc: at,
            });
            Expr {
                kind: ExprKind::Call(callee, args),
                loc: at,
            }
        };
        if self.types.record_id(ty).is_none() {
            let text = format!(
                "invalid range expression of type {}; no viable 'begin' function available",
                self.types.show(ty)
            );
            self.error(at, text);
            return None;
        }
        Some((call("begin"), call("end")))
    }

    /// `auto [a, b] = e;`
    pub(super) fn bindings(&mut self, b: &Bindings, init: Option<Expr>, out: &mut Vec<Stmt>) {
        let init = init.unwrap_or_else(|| b.init.clone());
        let loc = b.loc;
        if self.cur.is_none() {
            self.error(
                loc,
                "structured bindings at program scope are not supported",
            );
            return;
        }
        let whole = match self.array_copied(b, &init, out) {
            (_, Some(copy)) => copy,
            (init, None) => {
                let parts = b.reference.map(DeclPart::Reference).into_iter().collect();
                let name = self.unnamed(TUPLE);
                let mut d = auto_decl(&name, parts, init, loc);
                d.specs = b.specs.clone();
                self.cxx_declaration(&d, false, out);
                match self.scopes.find(&name).map(|s| s.entity) {
                    Some(Entity::Local(id)) => self.local_place(id, loc),
                    _ => {
                        for (name, loc) in &b.names {
                            self.scopes.declare(name.clone(), Entity::Error, *loc);
                        }
                        return;
                    }
                }
            }
        };
        let Operand::Place(place, quals) = whole else {
            return;
        };
        if self.tuple_bindings(b, &place, quals, out) {
            return;
        }
        let lanes = self.types.vector(quals.ty).map_or(0, |v| v.lanes);
        let mut elements = Vec::new();
        if lanes > 0 {
            elements.resize(lanes as usize, (0, quals));
        } else if let Some((elem, Some(count))) = self.types.element(quals.ty) {
            let size = self.types.size(elem.ty);
            for i in 0..count.min(64) {
                elements.push((i * size, elem));
            }
        } else if let Some(id) = self.types.record_id(quals.ty) {
            let fields = self.types.record(id).fields.clone().unwrap_or_default();
            elements.extend(
                fields
                    .iter()
                    .filter(|f| f.name.is_some())
                    .map(|f| (f.offset, f.ty)),
            );
        }
        if elements.len() != b.names.len() {
            let text = format!(
                "type {} decomposes into {} elements, but {} names were provided",
                self.types.show(quals.ty),
                elements.len(),
                b.names.len()
            );
            self.error(loc, text);
        }
        for (i, (name, at)) in b.names.iter().enumerate() {
            let entity = match elements.get(i) {
                Some(&(offset, ty)) => {
                    let operand = match self.types.referent(ty.ty) {
                        _ if lanes > 0 => {
                            let whole = Operand::Place(place.clone(), quals);
                            let whole = Box::new(self.stash(whole, *at));
                            let lane = format!("s{i:x}").into();
                            let kind = ExprKind::Member(whole, lane);
                            self.operand(&Expr { kind, loc: *at })
                        }
                        Some(to) => {
                            let (part, _) = self.part_of(place.clone(), quals, offset, ty, *at);
                            let pointer = part.ty;
                            let load = super::super::tree::ExprKind::Load(part);
                            let load = super::super::tree::Expr::new(load, pointer, *at);
                            self.deref(load, to, *at)
                        }
                        None => {
                            let (part, quals) = self.part_of(place.clone(), quals, offset, ty, *at);
                            Operand::Place(part, quals)
                        }
                    };
                    let aliases = &mut self.x().aliases;
                    aliases.push(operand);
                    Entity::Alias(aliases.len() as u32 - 1)
                }
                None => Entity::Error,
            };
            self.check_redefinition(name, *at);
            self.scopes.declare(name.clone(), entity, *at);
        }
    }

    /// Bindings of what has `std::tuple_size`: variables that are what `get` gives.
    fn tuple_bindings(
        &mut self,
        b: &Bindings,
        place: &tree::Place,
        quals: QualTy,
        out: &mut Vec<tree::Stmt>,
    ) -> bool {
        let loc = b.loc;
        let std = self.scopes.find_own(super::GLOBAL, "std").map(|s| s.entity);
        let Some(Entity::Namespace(std)) = std else {
            return false;
        };
        let size = self.scopes.find_in(std, "tuple_size").map(|s| s.entity);
        let Some(Entity::Template(size)) = size.filter(|_| self.class_of(quals.ty).is_some())
        else {
            return false;
        };
        let args = vec![super::Arg::Type(Spec::plain(quals.ty))];
        let class = self.class_instance(size, args, loc);
        let ty = self.record_type(class);
        self.complete(ty, loc);
        if !self.types.is_complete(ty) {
            return false;
        }
        let Some(value) = self.member_entity(ty, "value") else {
            return false;
        };
        let value = self.entity_operand(value, &"value".into(), loc);
        let value = self.value_of(value);
        let count = self.integer_constant(&value).unwrap_or(0);
        if count != b.names.len() as u64 {
            let text = format!(
                "type {} decomposes into {count} elements, but {} names were provided",
                self.types.show(quals.ty),
                b.names.len()
            );
            self.error(loc, text);
            return true;
        }
        let is_member = self.member_entity(quals.ty, "get").is_some();
        for (i, (name, at)) in b.names.iter().enumerate() {
            let (kind, at) = (ExprKind::Number(format!("{i}").into()), *at);
            let number = cxx::TemplateArg::Expr(Expr { kind, loc: at });
            let whole = self.stash(Operand::Place(place.clone(), quals), at);
            let element = if is_member {
                let part = cxx::NamePart {
                    name: "get".into(),
                    args: Some(vec![number]),
                    loc: at,
                };
                self.call_member(&whole, false, &cxx::QName::of(part), &[], at)
            } else {
                let known = match self.scopes.find("get").map(|s| s.entity) {
                    Some(Entity::Functions(set)) => self.callees_of(set),
                    _ => Vec::new(),
                };
                let explicit = Some(vec![number]);
                self.call_set(&"get".into(), known, None, explicit, &[whole], true, at, at)
            };
            let init = self.stash(element, at);
            let d = auto_decl(name, vec![DeclPart::Reference(true)], init, at);
            self.cxx_declaration(&d, false, out);
        }
        true
    }

    /// The copy of an array that bindings are not references to; otherwise the initializer as analysed.
    fn array_copied(
        &mut self,
        b: &Bindings,
        init: &Expr,
        out: &mut Vec<Stmt>,
    ) -> (Expr, Option<Operand>) {
        let loc = b.loc;
        if b.reference.is_some() || self.paren_arguments(init).is_some() {
            return (init.clone(), None);
        }
        let operand = self.operand(init);
        let ty = self.operand_type(&operand).ty;
        let analysed = self.stash(operand.clone(), init.begin());
        if self.types.element(ty).is_none() {
            return (analysed, None);
        }
        let (Operand::Place(source, _), Some(copy)) = (operand, self.new_temporary(ty, loc)) else {
            return (analysed, None);
        };
        if !self.copies_as_bytes(ty) {
            let text = "structured bindings of copies of such arrays are not supported";
            self.error(loc, text);
        }
        let value = tree::Expr::new(tree::ExprKind::Load(source), ty, loc);
        let kind = tree::ExprKind::Assign(copy.clone(), Box::new(value));
        let done = self.full_expression(tree::Expr::new(kind, ty, loc));
        out.push(super::expr_stmt(done));
        (analysed, Some(Operand::Place(copy, QualTy::plain(ty))))
    }
}
