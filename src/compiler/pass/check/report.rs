//! The sites of a module, and the function that kernels call to report.

use rustc_hash::FxHashMap;

use crate::check::{Checks, Kind, Object, Site};
use crate::front::clc::builtins::library;
use crate::ir::builder::Builder;
use crate::ir::{
    Addr, AtomicOp, CastOp, CmpOp, FuncId, Function, Inline, Op, Order, Scope, Space, StringId,
    Type, Value, WorkItem,
};
use crate::kernel::SysField;
use crate::source::SourceLoc;

/// The place of what is from the library.
pub const LIBRARY: SourceLoc = SourceLoc {
    file: u32::MAX,
    offset: 0,
};

/// A function of the library under shaders/.
pub fn is_library(name: &str) -> bool {
    let file = name.split_once('.').map(|(file, _)| file);
    file.is_some_and(|file| library::text(&format!("{file}.cl")).is_some())
}

/// What is reported in a module.
pub struct Reporter {
    pub checks: Checks<SourceLoc>,
    known: FxHashMap<Site<SourceLoc>, u32>,
    /// The function that reports.
    function: FuncId,
    place: SourceLoc,
    library: bool,
}

impl Reporter {
    pub fn new(checks: Checks<SourceLoc>, function: FuncId) -> Reporter {
        Reporter {
            checks,
            known: FxHashMap::default(),
            function,
            place: SourceLoc::default(),
            library: false,
        }
    }

    /// The next instruction is from this place. What the library does is reported at the last place in front of it.
    pub fn at(&mut self, loc: SourceLoc) {
        self.library = loc == LIBRARY;
        if !self.library && loc != SourceLoc::default() {
            self.place = loc;
        }
    }

    /// Another function begins.
    pub fn begin(&mut self) {
        self.place = SourceLoc::default();
        self.library = false;
    }

    pub fn in_library(&self) -> bool {
        self.library
    }

    /// The number of a new object.
    pub fn object(&mut self, object: Object<SourceLoc>) -> u32 {
        self.checks.objects.push(object);
        self.checks.objects.len() as u32 - 1
    }

    /// The number of the site of this kind at the current place.
    pub fn site(&mut self, kind: Kind, size: u32, align: u32) -> u32 {
        let site = Site {
            kind,
            size,
            align,
            place: self.place,
        };
        let sites = &mut self.checks.sites;
        *self.known.entry(site).or_insert_with(|| {
            sites.push(site);
            sites.len() as u32 - 1
        })
    }

    /// Reports. `numbers`: offset, bytes that can be read and written, address.
    pub fn call(&self, b: &mut Builder, site: u32, object: u32, numbers: [Value; 4]) {
        let [site, object] = [site, object].map(|n| b.const_int(Type::I32, n as i32 as i64));
        let mut args = vec![site, object];
        args.extend(numbers);
        b.call(self.function, args, None);
    }
}

/// The printf buffer of the launch.
pub fn buffer(b: &mut Builder) -> Value {
    let address = b.insert1(Op::Sys(SysField::PrintfBuffer), Type::I64);
    b.cast(CastOp::IntToPtr, address, Type::ptr(Space::Global))
}

/// The function that reports: the first report of each site in a launch becomes a record, all are counted. `counters`: the word
/// of the first site's.
pub fn function(format: StringId, counters: u32) -> Function {
    let params = [
        Type::I32,
        Type::I32,
        Type::I64,
        Type::I64,
        Type::I64,
        Type::I64,
    ];
    // Of the library, whose functions have such names.
    let mut func = Function::new("check.report".into(), &params, None);
    func.inline = Inline::Never;
    let params = func.params.clone();
    let mut b = Builder::new(&mut func);
    b.loc = LIBRARY;
    let buffer = buffer(&mut b);
    let index = b.cast(CastOp::ZExt, params[0], Type::I64);
    let four = b.const_int(Type::I64, 4);
    let offset = b.binary(crate::ir::BinOp::Mul, index, four);
    let first = b.ptradd_const(buffer, 4 * i64::from(counters));
    let word = Addr::Ptr(b.ptradd(first, offset));
    let one = b.const_int(Type::I32, 1);
    let before = b.atomic(
        AtomicOp::Add,
        word,
        vec![one],
        Type::I32,
        Order::Relaxed,
        Scope::Device,
    );
    let zero = b.const_int(Type::I32, 0);
    let is_first = b.compare(CmpOp::Eq, before, zero);
    b.if_then(is_first, |b| {
        let mut args = params[..2].to_vec();
        for d in 0..3 {
            let dim = b.const_int(Type::I32, d);
            args.push(b.work_item(WorkItem::GlobalId, Some(dim)));
        }
        args.extend(&params[2..]);
        b.printf(format, args);
    });
    b.return_(None);
    b.finish();
    func
}
