//! Calls: user functions (overloaded ones too), builtins, as_type and printf.

use super::Sema;
use super::convert::{Context, Fit};
use super::functions::Overloads;
use super::operand::Operand;
use super::queries::Arith;
use super::scope::Entity;
use super::tree::{Expr, ExprKind, FnId};
use super::types::{Prim, QualTy, Ty};
use crate::front::clc::builtins::implementation::{Impl, Special};
use crate::front::clc::builtins::table::{Row, TABLE, Term};
use crate::front::clc::builtins::{self, ResolveError, conditions};
use crate::front::clc::syntax::ast::{self, Name};
use crate::options::Standard;
use crate::source::SourceLoc;

/// Candidates named in notes before the rest is only counted.
const MAX_NOTES: usize = 8;

/// An argument before its conversion, and where it starts.
pub(super) type Argument = (Operand, SourceLoc);

impl Sema<'_> {
    pub fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], loc: SourceLoc) -> Expr {
        let begin = callee.begin();
        if let ast::ExprKind::Ident(name) = &callee.bare().kind {
            match self.scopes.find(name).map(|s| s.entity) {
                Some(Entity::Function) => return self.user_call(name, args, begin, loc),
                Some(_) => {}
                None => return self.builtin_call(name, args, begin, loc),
            }
        }
        let operand = self.operand(callee);
        if let Operand::Value(block) = &operand
            && matches!(block.kind, ExprKind::Block(..))
        {
            let block = block.clone();
            return match self.arguments(args) {
                Some(arguments) => self.block_call(block, arguments, begin, loc),
                None => self.error_expr(loc),
            };
        }
        self.not_callable(operand, begin, loc)
    }

    fn not_callable(&mut self, operand: Operand, begin: SourceLoc, loc: SourceLoc) -> Expr {
        let shown = self.show_operand(&operand);
        if let Operand::Value(e) = &operand
            && self.is_error(e)
        {
            return self.error_expr(loc);
        }
        self.error(
            begin,
            format!("called object type {shown} is not a function or function pointer"),
        );
        self.error_expr(loc)
    }

    /// Analyses arguments; `None` if one had an error.
    fn arguments(&mut self, args: &[ast::Expr]) -> Option<Vec<Argument>> {
        let mut out = Vec::new();
        let mut bad = false;
        for arg in args {
            match self.argument_operand(arg) {
                Some(operand) => out.push((operand, arg.begin())),
                None => bad = true,
            }
        }
        (!bad).then_some(out)
    }

    /// An argument before its conversion; `None` after an error.
    pub(super) fn argument_operand(&mut self, arg: &ast::Expr) -> Option<Operand> {
        let operand = self.operand(arg);
        if let Operand::Function(..) = operand {
            self.value_of(operand);
            return None;
        }
        let ty = self.operand_type(&operand).ty;
        (!self.types.is_error(ty)).then_some(operand)
    }

    fn user_call(
        &mut self,
        name: &Name,
        args: &[ast::Expr],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let Some(arguments) = self.arguments(args) else {
            return self.error_expr(loc);
        };
        let overloads = self.overloads.get(name);
        let id = match overloads.map_or(&[][..], |overloads| &overloads.ids) {
            [only] if !self.fns[only.0 as usize].overloadable => *only,
            _ => match self.choose_overload(name, &arguments, begin) {
                Choice::One(id) => id,
                Choice::Builtin => return self.resolve_builtin(name, arguments, begin, loc),
                Choice::Error => return self.error_expr(loc),
            },
        };
        self.call_function(id, arguments, begin, loc)
    }

    pub(super) fn call_function(
        &mut self,
        id: FnId,
        arguments: Vec<Argument>,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let info = &self.fns[id.0 as usize];
        let (params, ret, declared) = (info.ty.params.clone(), info.ty.ret, info.loc);
        let name = self.functions[id.0 as usize].name.clone();
        if arguments.len() != params.len() {
            self.wrong_count("function", params.len(), &arguments, loc);
            self.sink.note(declared, format!("'{name}' declared here"));
            return self.error_expr(loc);
        }
        if !self.types.is_void(ret) && !self.types.is_complete(ret) {
            let text = self.types.show(ret);
            let message = format!("calling '{name}' with incomplete return type {text}");
            self.error(begin, message);
            return self.error_expr(loc);
        }
        let mut values = Vec::new();
        let mut bad = false;
        for (i, ((operand, at), &param)) in arguments.into_iter().zip(&params).enumerate() {
            let before = self.sink.diags.len();
            let value = self.convert_implicitly(operand, QualTy::plain(param), Context::Pass, at);
            if self.sink.diags.len() > before {
                // A declaration through a typedef names no parameters.
                let param = self.fns[id.0 as usize].params.get(i).cloned();
                let (param_name, param_loc) = param.unwrap_or((None, declared));
                let of = param_name.map_or(String::new(), |n| format!(" '{n}'"));
                self.sink
                    .note(param_loc, format!("passing argument to parameter{of} here"));
            }
            bad |= self.is_error(&value);
            values.push(value);
        }
        if bad {
            return self.error_expr(loc);
        }
        if let Some(f) = &self.cur {
            self.calls.push((f.id, id, begin));
        }
        Expr::new(ExprKind::Call(id, values), ret, loc)
    }

    /// `what` is called: a function or a block.
    pub(super) fn wrong_count(
        &mut self,
        what: &str,
        expected: usize,
        arguments: &[Argument],
        loc: SourceLoc,
    ) {
        let (word, at) = match arguments.get(expected) {
            Some((_, at)) => ("many", *at),
            None => ("few", loc),
        };
        let have = arguments.len();
        let text = format!("too {word} arguments to {what} call, expected {expected}, have {have}");
        self.error(at, text);
    }

    /// How good an argument fits: smaller is better.
    fn argument_cost(&self, from: Ty, e: &Expr, to: Ty) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        if self.fit(e, to) != Fit::Ok {
            return None;
        }
        let promoted = match (self.types.scalar(from), self.types.scalar(to)) {
            (Some(a), Some(b)) => b == a.promoted() || a == Prim::Float && b == Prim::Double,
            _ => false,
        };
        let widened = self.types.scalar(from).is_some() && self.types.vector(to).is_some();
        Some(match (promoted, widened) {
            (true, _) => 1,
            (_, false) => 2,
            (_, true) => 3,
        })
    }

    fn choose_overload(&mut self, name: &Name, arguments: &[Argument], begin: SourceLoc) -> Choice {
        let values: Vec<Expr> = arguments
            .iter()
            .map(|(operand, _)| self.value_of(operand.clone()))
            .collect();
        let tys: Vec<Ty> = values.iter().map(|e| e.ty).collect();
        let exact = |overloads: &Overloads| overloads.exact(&tys);
        if let Some(exact) = self.overloads.get(name).and_then(exact) {
            return Choice::One(exact);
        }
        // The builtin of that name, without an id, is a candidate too.
        let mut viable: Vec<(Option<FnId>, Vec<u32>)> = Vec::new();
        let language = self.language();
        let builtin = builtins::resolve(&mut self.types, language, name, &tys);
        let costs = |params: &[Ty]| -> Option<Vec<u32>> {
            let pairs = values.iter().zip(params);
            pairs
                .map(|(e, &to)| self.argument_cost(e.ty, e, to))
                .collect()
        };
        if let Some(costs) = builtin.ok().and_then(|b| costs(&b.params)) {
            viable.push((None, costs));
        }
        let candidates = self.overloads.get(name);
        let candidates = candidates.map_or(&[][..], |overloads| &overloads.ids);
        for &id in candidates {
            let params = &self.fns[id.0 as usize].ty.params;
            if params.len() == values.len()
                && let Some(costs) = costs(params)
            {
                viable.push((Some(id), costs));
            }
        }
        type Viable = (Option<FnId>, Vec<u32>);
        let better = |(id, costs): &Viable, (other, theirs): &Viable| {
            // A program's own function is preferred to an equal builtin.
            let own = id.is_some() && other.is_none();
            costs.iter().zip(theirs).all(|(x, y)| x <= y) && (own || costs != theirs)
        };
        // If one is better than all others, none of them is better than it.
        let best = viable
            .iter()
            .reduce(|best, other| match better(other, best) {
                true => other,
                false => best,
            });
        let best = best.filter(|best| {
            let mut others = viable.iter().filter(|other| other.0 != best.0);
            others.all(|other| better(best, other))
        });
        match best {
            Some((Some(one), _)) => return Choice::One(*one),
            Some((None, _)) => return Choice::Builtin,
            None => {}
        }
        let noted: Vec<FnId> = candidates.iter().copied().take(MAX_NOTES).collect();
        let (message, note) = match viable.is_empty() {
            true => (
                format!("no matching function for call to '{name}'"),
                "candidate function not viable",
            ),
            false => (
                format!("call to '{name}' is ambiguous"),
                "candidate function",
            ),
        };
        self.error(begin, message);
        for id in noted {
            let loc = self.fns[id.0 as usize].loc;
            self.sink.note(loc, note);
        }
        Choice::Error
    }

    pub fn builtin_call(
        &mut self,
        name: &Name,
        args: &[ast::Expr],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        if &**name == "printf" {
            return self.printf(args, begin, loc);
        }
        let Some(arguments) = self.arguments(args) else {
            return self.error_expr(loc);
        };
        if let Some((prim, lanes)) = name.strip_prefix("as_").and_then(Prim::split_vector_name)
            && prim != Prim::Bool
        {
            let [(operand, _)] = arguments.as_slice() else {
                self.wrong_count("function", 1, &arguments, loc);
                return self.error_expr(loc);
            };
            if let Some(extension) = self.features.lacking(prim) {
                let problem = ResolveError::Disabled(conditions::support(extension));
                self.report_builtin(name, problem, begin);
                return self.error_expr(loc);
            }
            let e = self.value_of(operand.clone());
            let ty = self.types.of_arith(Arith { prim, lanes });
            return self.reinterpret(e, ty, begin);
        }
        if let Some(call) = self.compiler_builtin(name, &arguments, begin, loc) {
            return call;
        }
        if let Some(call) = self.renamed_builtin(name, &arguments, begin, loc) {
            return call;
        }
        if &**name == "vec_step"
            && let [(operand, _)] = arguments.as_slice()
        {
            let ty = self.operand_type(operand).ty;
            return self.vec_step(ty, loc);
        }
        if let Some(converted) = self.space_query(name, &arguments, loc) {
            return converted;
        }
        self.resolve_builtin(name, arguments, begin, loc)
    }

    pub(super) fn resolve_builtin(
        &mut self,
        name: &Name,
        arguments: Vec<Argument>,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let of_blocks = builtins::of_blocks(name);
        if let Some((id, row)) = of_blocks {
            return self.block_builtin(id, row, arguments, begin, loc);
        }
        let of_pipes = builtins::of_pipes(name);
        if !of_pipes.is_empty() {
            return self.pipe_call(name, &of_pipes, arguments, begin, loc);
        }
        let mut values = Vec::new();
        let mut places = Vec::new();
        for (operand, at) in arguments {
            let e = self.value_of(operand);
            if self.is_error(&e) {
                return self.error_expr(loc);
            }
            values.push(e);
            places.push(at);
        }
        let tys: Vec<Ty> = values.iter().map(|e| e.ty).collect();
        let language = self.language();
        match builtins::resolve(&mut self.types, language, name, &tys) {
            Ok(found) => {
                self.check_orders(found.id.row(), &values);
                self.check_ranges(found.id.row(), &values, &found.params);
                self.check_events(found.id.row(), &values, &places);
                let args: Vec<Expr> = values
                    .into_iter()
                    .zip(&found.params)
                    .map(|(e, &ty)| self.convert(e, ty))
                    .collect();
                if found.id.row().imp == Impl::Special(Special::EnqueueMarker) {
                    return self.enqueue_marker(args, loc);
                }
                Expr::new(ExprKind::Builtin(found.id, args), found.ret, loc)
            }
            Err(problem) => {
                self.report_builtin(name, problem, begin);
                self.error_expr(loc)
            }
        }
    }

    /// Memory orders and scopes that the device has not (OpenCL C specification, 6.15.12.10).
    fn check_orders(&mut self, row: &Row, args: &[Expr]) {
        const ACQ_REL: &str = "__opencl_c_atomic_order_acq_rel";
        const ALL_DEVICES: &str = "__opencl_c_atomic_scope_all_devices";
        if self.opts.library {
            return;
        }
        self.check_order(row, args);
        let fence = row.name == "atomic_work_item_fence";
        for (term, arg) in row.params.iter().zip(args) {
            let (what, needed) = match (term, self.integer_constant(arg)) {
                (Term::Order, Some(2)) if !fence => ("memory_order_acquire", ACQ_REL),
                (Term::Order, Some(3)) if !fence => ("memory_order_release", ACQ_REL),
                (Term::Order, Some(4)) if !fence => ("memory_order_acq_rel", ACQ_REL),
                (Term::Order, Some(5)) => {
                    ("memory_order_seq_cst", "__opencl_c_atomic_order_seq_cst")
                }
                // Relaxed atomics have it on every device; stronger orders need more than it.
                (Term::Scope, Some(2)) if fence => {
                    ("memory_scope_device", "__opencl_c_atomic_scope_device")
                }
                // OpenCL C 2.0 has it everywhere.
                (Term::Scope, Some(3)) if self.opts.standard > Standard::Cl20 => {
                    ("memory_scope_all_svm_devices", ALL_DEVICES)
                }
                (Term::Scope, Some(4)) => ("memory_scope_sub_group", "__opencl_c_subgroups"),
                _ => continue,
            };
            if !conditions::has(needed, self.target) {
                let text = format!("{what} requires support for '{needed}'");
                self.error(arg.loc, text);
            }
        }
    }

    /// Orders that functions shall not be given (6.15.12.7): they are made stronger.
    fn check_order(&mut self, row: &Row, args: &[Expr]) {
        let orders = row
            .params
            .iter()
            .zip(args)
            .filter(|(term, _)| **term == Term::Order);
        let orders: Vec<_> = orders
            .map(|(_, arg)| (self.integer_constant(arg), arg.loc))
            .collect();
        let loads = row.name.starts_with("atomic_load");
        let stores = ["atomic_store", "atomic_flag_clear"];
        let stores = stores.iter().any(|name| row.name.starts_with(name));
        for (i, &(order, loc)) in orders.iter().enumerate() {
            let success = if i > 0 { orders[0].0 } else { order };
            let valid = match (order, success) {
                (None, _) => true,
                (Some(2), _) if stores => false,
                (Some(3 | 4), _) if loads || i > 0 => false,
                (Some(4), _) if stores => false,
                // No stronger than that of success.
                (Some(2), Some(0)) | (Some(5), Some(0..=4)) => false,
                (Some(order), _) => matches!(order, 0 | 2..=5),
            };
            if !valid {
                self.sink
                    .warning(loc, "memory order argument to atomic operation is invalid");
            }
        }
    }

    /// Of numbers only the constant 0 is an event.
    fn check_events(&mut self, row: &Row, args: &[Expr], places: &[SourceLoc]) {
        for ((term, arg), &at) in row.params.iter().zip(args).zip(places) {
            let number = *term == Term::Event && self.types.scalar(arg.ty).is_some();
            if number && self.integer_constant(arg) != Some(0) {
                let given = self.types.show(arg.ty);
                let text = format!("passing {given} to parameter of incompatible type 'event_t'");
                self.error(at, text);
            }
        }
    }

    pub(super) fn report_builtin(&mut self, name: &Name, problem: ResolveError, begin: SourceLoc) {
        let notes: Vec<String> = match problem {
            ResolveError::Unknown if self.lost.contains(name) => return,
            ResolveError::Unknown => {
                let own = self.overloads.keys().map(|name| name.to_string());
                let meant = self.meant(name, TABLE.names().chain(own));
                self.error(
                    begin,
                    format!(
                        "implicit declaration of function '{name}' is invalid in OpenCL{meant}"
                    ),
                );
                return;
            }
            ResolveError::Disabled(needs) => {
                self.error(begin, format!("use of function '{name}' requires {needs}"));
                return;
            }
            ResolveError::NoMatch(candidates) => {
                self.error(begin, format!("no matching function for call to '{name}'"));
                let text = |(signature, why): (String, String)| {
                    format!("candidate function '{signature}' not viable: {why}")
                };
                candidates.into_iter().map(text).collect()
            }
            ResolveError::Ambiguous(candidates) => {
                self.error(begin, format!("call to '{name}' is ambiguous"));
                let text = |signature| format!("candidate function '{signature}'");
                candidates.into_iter().map(text).collect()
            }
        };
        // Rows of one signature say the same.
        let mut seen = Vec::new();
        for note in notes {
            if !seen.contains(&note) {
                seen.push(note);
            }
        }
        let notes = seen;
        let left = notes.len().saturating_sub(MAX_NOTES);
        for note in notes.into_iter().take(MAX_NOTES) {
            self.sink.note(begin, note);
        }
        if left > 0 {
            self.sink
                .note(begin, format!("{left} more candidates are not shown"));
        }
    }
}

/// What overload resolution found.
enum Choice {
    One(FnId),
    /// None of the user's, but a builtin of that name.
    Builtin,
    Error,
}
