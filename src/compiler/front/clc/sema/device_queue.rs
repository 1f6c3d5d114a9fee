//! Calls of functions that take a block (OpenCL C 6.15.16). The messages are clang's.

use super::Sema;
use super::expr_call::Argument;
use super::tree::{Enqueue, EnqueuedBlock, Expr, ExprKind, FnId};
use super::types::{NDRANGE, Prim, TypeKind};
use crate::front::clc::builtins::table::Row;
use crate::front::clc::builtins::{BuiltinId, ResolveError, conditions};
use crate::ir::Space;
use crate::source::SourceLoc;

/// An analysed argument and where it starts.
type Value = (Expr, SourceLoc);

impl Sema<'_> {
    /// A call of a function of a block.
    pub fn block_builtin(
        &mut self,
        id: BuiltinId,
        row: &'static Row,
        arguments: Vec<Argument>,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let name = &*row.name;
        if let Some(needs) = conditions::missing(&row.conditions, self.language()) {
            self.report_builtin(&name.into(), ResolveError::Disabled(needs), begin);
            return self.error_expr(loc);
        }
        let mut values = Vec::new();
        for (operand, at) in arguments {
            let value = self.value_of(operand);
            if self.is_error(&value) {
                return self.error_expr(loc);
            }
            values.push((value, at));
        }
        let made = match name {
            "enqueue_kernel" => self.enqueue_kernel(values, begin, loc),
            _ => self.kernel_query(id, row, values, loc),
        };
        made.unwrap_or_else(|| self.error_expr(loc))
    }

    /// The range, if the function takes one, and the block, which does not decide the result.
    fn kernel_query(
        &mut self,
        id: BuiltinId,
        row: &Row,
        mut values: Vec<Value>,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let name = &row.name;
        self.check_count(row.params.len(), &values, loc)?;
        let (block, at) = values.pop()?;
        if let [(range, at)] = &values[..]
            && *self.types.kind(range.ty) != TypeKind::Record(NDRANGE)
        {
            let text = format!("illegal call to '{name}', expected 'ndrange_t' argument type");
            self.error(*at, text);
            return None;
        }
        if !matches!(block.kind, ExprKind::Block(..)) {
            let text = format!("illegal call to '{name}', expected block argument type");
            self.error(at, text);
            return None;
        }
        self.check_local_pointers(&block, name, at)?;
        let uint = self.types.prim(Prim::UInt);
        let values = values.into_iter().map(|(value, _)| value).collect();
        Some(Expr::new(ExprKind::Builtin(id, values), uint, loc))
    }

    fn check_count(&mut self, expected: usize, values: &[Value], loc: SourceLoc) -> Option<()> {
        if values.len() == expected {
            return Some(());
        }
        let (word, at) = match values.get(expected) {
            Some((_, at)) => ("many", *at),
            None => ("few", loc),
        };
        let have = values.len();
        let text =
            format!("too {word} arguments to function call, expected {expected}, have {have}");
        self.error(at, text);
        None
    }

    /// The parameters of an enqueued block are pointers to local memory: of void, or of any type with
    /// cl_khr_device_enqueue_local_arg_types. Returns its function, and their number.
    fn check_local_pointers(
        &mut self,
        block: &Expr,
        name: &str,
        at: SourceLoc,
    ) -> Option<(FnId, usize)> {
        let (&ExprKind::Block(function, _), TypeKind::Block(ty)) =
            (&block.kind, self.types.kind(block.ty))
        else {
            return None;
        };
        let local = |ty: &&super::types::Ty| {
            let to = self.types.pointee(**ty);
            to.is_some_and(|to| to.space == Space::Local)
        };
        if !ty.params.iter().all(|ty| local(&ty)) {
            let text = format!(
                "blocks used in {name} call are expected to have parameters of type 'local void*'"
            );
            self.error(at, text);
            return None;
        }
        if !self.types.is_void(ty.ret) {
            let text = format!("blocks used in {name} call are expected to have no result");
            self.error(at, text);
            return None;
        }
        Some((function, ty.params.len()))
    }

    fn enqueue_kernel(
        &mut self,
        values: Vec<Value>,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Option<Expr> {
        if values.len() < 4 {
            let text = format!(
                "too few arguments to function call, expected at least 4, have {}",
                values.len()
            );
            self.error(begin, text);
            return None;
        }
        let mut values = values.into_iter();
        let (queue, at) = values.next()?;
        self.expect(
            *self.types.kind(queue.ty) == TypeKind::Queue,
            "'queue_t'",
            at,
        )?;
        let (flags, at) = values.next()?;
        let flags_type = "'kernel_enqueue_flags_t' (i.e. uint)";
        self.expect(self.types.is_integer(flags.ty), flags_type, at)?;
        let (range, at) = values.next()?;
        let is_range = *self.types.kind(range.ty) == TypeKind::Record(NDRANGE);
        self.expect(is_range, "'ndrange_t'", at)?;
        let is_block = |e: &Expr| matches!(e.kind, ExprKind::Block(..));
        let (mut block, mut at) = values.next()?;
        let mut events = None;
        if !is_block(&block) {
            let (count, count_at) = (block, at);
            let list = values.next();
            let ret = values.next();
            let last = values.next();
            let (Some(list), Some(ret), Some(last)) = (list, ret, last) else {
                let text = "illegal call to 'enqueue_kernel', expected block argument type";
                self.error(at, text);
                return None;
            };
            let count = self.uint(count, count_at)?;
            let list = self.events(list.0, true, list.1)?;
            let ret = self.events(ret.0, false, ret.1)?;
            events = Some([count, list, ret]);
            (block, at) = last;
            if !is_block(&block) {
                let text = "illegal call to 'enqueue_kernel', expected block argument type";
                self.error(at, text);
                return None;
            }
        }
        let (function, locals) = self.check_local_pointers(&block, "enqueue_kernel", at)?;
        let mut sizes = Vec::new();
        for (size, at) in values {
            sizes.push(self.uint(size, at)?);
        }
        if sizes.is_empty() && locals > 0 {
            let text =
                "blocks with parameters are not accepted in this prototype of enqueue_kernel call";
            self.error(at, text);
            return None;
        }
        if sizes.len() != locals {
            let text = "mismatch in number of block parameters and local size arguments passed";
            self.error(begin, text);
            return None;
        }
        let ExprKind::Block(_, captured) = block.kind else {
            return None;
        };
        self.make_kernel(function);
        let enqueue = Enqueue {
            queue,
            events,
            block: Some(EnqueuedBlock {
                function,
                captured: *captured,
                range,
                sizes,
            }),
        };
        let int = self.types.int();
        let call = Expr::new(ExprKind::Enqueue(Box::new(enqueue)), int, loc);
        // The flags are evaluated: a kernel that is enqueued waits for its parent, whatever they say.
        let kind = match flags.kind {
            ExprKind::Const(_) => return Some(call),
            _ => ExprKind::Comma(Box::new(flags), Box::new(call)),
        };
        Some(Expr::new(kind, int, loc))
    }

    fn expect(&mut self, holds: bool, ty: &str, at: SourceLoc) -> Option<()> {
        if !holds {
            let text = format!("illegal call to 'enqueue_kernel', expected {ty} argument type");
            self.error(at, text);
        }
        holds.then_some(())
    }

    fn uint(&mut self, value: Expr, at: SourceLoc) -> Option<Expr> {
        if !self.types.is_integer(value.ty) {
            let text =
                "illegal call to enqueue_kernel, parameter needs to be specified as integer type";
            self.error(at, text);
            return None;
        }
        let uint = self.types.prim(Prim::UInt);
        Some(self.convert(value, uint))
    }

    /// A list of events, or where one goes; may be NULL.
    fn events(&mut self, value: Expr, is_list: bool, at: SourceLoc) -> Option<Expr> {
        let event = self.types.intern(TypeKind::DeviceEvent);
        let fits = match self.types.pointee(value.ty) {
            Some(to) => to.ty == event && (is_list || !to.is_const),
            None => false,
        };
        if fits {
            return Some(value);
        }
        if self.is_null_constant(&value) {
            let to = super::types::QualTy::plain(event);
            let ty = self.types.pointer(to);
            return Some(self.constant(0, ty, at));
        }
        self.expect(false, "'clk_event_t *'", at)?;
        None
    }

    /// The call of enqueue_marker with its converted arguments.
    pub fn enqueue_marker(&mut self, args: Vec<Expr>, loc: SourceLoc) -> Expr {
        let int = self.types.int();
        let Ok([queue, count, list, ret]) = <[Expr; 4]>::try_from(args) else {
            return self.error_expr(loc);
        };
        let enqueue = Enqueue {
            queue,
            events: Some([count, list, ret]),
            block: None,
        };
        Expr::new(ExprKind::Enqueue(Box::new(enqueue)), int, loc)
    }
}
