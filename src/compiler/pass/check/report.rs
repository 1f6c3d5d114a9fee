//! The sites of a module, and the function that kernels call to report.

use rustc_hash::FxHashMap;

use super::access::unless;
use crate::check::{Checks, Kind, LIVE, NO_OBJECT, Object, REPORT, REPORT_NAME, SEARCH_NAME, Site};
use crate::front::clc::builtins::library;
use crate::ir::builder::Builder;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, FuncId, Function, Inline, Op, Order, Scope, Space, Type,
    Value, WorkItem,
};
use crate::kernel::SysField;
use crate::source::SourceLoc;

/// The place of what is from the library.
pub const LIBRARY: SourceLoc = SourceLoc {
    file: u32::MAX,
    offset: 0,
};

/// The place of what this pass makes and does not report.
pub const QUIET: SourceLoc = SourceLoc {
    file: u32::MAX - 1,
    offset: 0,
};

/// In place of the site in a call that waits for its object.
pub const MARKED: u32 = 1 << 31;

/// A function of the library under shaders/.
pub fn is_library(name: &str) -> bool {
    let file = name.split_once('.').map(|(file, _)| file);
    file.is_some_and(|file| library::text(&format!("{file}.cl")).is_some())
}

/// What is reported in a module.
pub struct Reporter {
    pub checks: Checks<SourceLoc>,
    known: FxHashMap<Site<SourceLoc>, u32>,
    /// The function that reports, and the one that searches.
    pub function: FuncId,
    search: FuncId,
    place: SourceLoc,
    library: bool,
    /// The driver uses addresses of accesses that are not done.
    pub redirects: bool,
}

impl Reporter {
    pub fn new(
        checks: Checks<SourceLoc>,
        [function, search]: [FuncId; 2],
        redirects: bool,
    ) -> Reporter {
        Reporter {
            checks,
            known: FxHashMap::default(),
            function,
            search,
            place: SourceLoc::default(),
            library: false,
            redirects,
        }
    }

    /// The next instruction is from this place. What the library does is reported at the last place in front of it.
    pub fn at(&mut self, loc: SourceLoc) {
        self.library = loc == LIBRARY;
        if ![LIBRARY, QUIET].contains(&loc) && loc != SourceLoc::default() {
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

    /// Reports. `numbers`: an offset, and an address or a word of a shadow.
    pub fn call(&self, b: &mut Builder, site: u32, object: Value, numbers: [Value; 2]) {
        let site = b.const_int(Type::I32, site.into());
        let mut args = vec![site, object];
        args.extend(numbers);
        b.call(self.function, args, None);
    }

    /// bool: an access to global memory is right. If it is not, it has been reported.
    pub fn search(
        &mut self,
        b: &mut Builder,
        site: u32,
        address: Value,
        size: u32,
        align: u32,
        kind: Kind,
    ) -> Value {
        self.checks.searches = true;
        let limit = if kind == Kind::Load { 0 } else { 8 };
        let words = [site, size, align.max(1) - 1, limit].map(|n| b.const_int(Type::I32, n.into()));
        let [site, size, mask, limit] = words;
        let args = vec![site, address, size, mask, limit];
        let found = b.call(self.search, args, Some(Type::I32));
        let zero = b.const_int(Type::I32, 0);
        let found = found.unwrap_or(zero);
        b.compare(CmpOp::Ne, found, zero)
    }
}

/// The number of no object.
pub fn no_object(b: &mut Builder) -> Value {
    b.const_int(Type::I32, NO_OBJECT.into())
}

/// The printf buffer of the launch.
pub fn buffer(b: &mut Builder) -> Value {
    let address = b.insert1(Op::Sys(SysField::PrintfBuffer), Type::I64);
    b.cast(CastOp::IntToPtr, address, Type::ptr(Space::Global))
}

/// The function that reports, of a site, an object and two numbers, as long as it does nothing.
pub fn declaration() -> Function {
    let mut func = named();
    let mut b = Builder::new(&mut func);
    b.return_(None);
    b.finish();
    func
}

fn named() -> Function {
    let params = [Type::I32, Type::I32, Type::I64, Type::I64];
    // Of the library, whose functions have such names.
    let mut func = Function::new(REPORT_NAME.into(), &params, None);
    func.inline = Inline::Never;
    func
}

/// The function that reports: the first report of each site in a launch is stored, all are counted. `checks`: of all sites.
pub fn function(checks: &Checks<SourceLoc>) -> Function {
    let mut func = named();
    let params = func.params.clone();
    let mut b = Builder::new(&mut func);
    b.loc = LIBRARY;
    let buffer = buffer(&mut b);
    let index = b.cast(CastOp::ZExt, params[0], Type::I64);
    // The site's part of an array of so many bytes each, from a word on.
    let part = |b: &mut Builder, first: u32, size: u32| {
        let size = b.const_int(Type::I64, size.into());
        let offset = b.binary(BinOp::Mul, index, size);
        let first = b.ptradd_const(buffer, 4 * i64::from(first));
        b.ptradd(first, offset)
    };
    let counter = Addr::Ptr(part(&mut b, checks.counters(), 4));
    let one = b.const_int(Type::I32, 1);
    let (relaxed, device) = (Order::Relaxed, Scope::Device);
    let before = b.atomic(
        AtomicOp::Add,
        counter,
        vec![one],
        Type::I32,
        relaxed,
        device,
    );
    let zero = b.const_int(Type::I32, 0);
    let is_first = b.compare(CmpOp::Eq, before, zero);
    b.if_then(is_first, |b| {
        let to = part(b, checks.report(0), 4 * REPORT);
        // Drivers for CPUs make a loop of each store.
        let mut words = vec![params[1]];
        for d in 0..3 {
            let dim = b.const_int(Type::I32, d);
            let id = b.work_item(WorkItem::GlobalId, Some(dim));
            words.push(b.cast(CastOp::Trunc, id, Type::I32));
        }
        for &number in &params[2..] {
            words.extend(b.words(number));
        }
        for (half, words) in words.chunks(4).enumerate() {
            let place = b.ptradd_const(to, 16 * half as i64);
            let words = b.construct(words.to_vec());
            b.store(place, words, 8);
        }
    });
    b.return_(None);
    b.finish();
    func
}

/// The function that searches an address among the objects of the launch (`Checks::live`): 1 if so many bytes from there are in one,
/// and no bit of `mask` is set. Otherwise it reports, by `report`, and gives 0. `limit`: where in an entry the bound is. `live`: the word
/// with the number of entries, which are in the order of their beginnings.
pub fn search(report: FuncId, live: u32) -> Function {
    let params = [Type::I32, Type::I64, Type::I32, Type::I32, Type::I32];
    let mut func = Function::new(SEARCH_NAME.into(), &params, Some(Type::I32));
    func.inline = Inline::Never;
    let params = func.params.clone();
    let [site, address, size, mask, limit] = params[..] else {
        return func;
    };
    let mut b = Builder::new(&mut func);
    b.loc = LIBRARY;
    let buffer = buffer(&mut b);
    let count = b.ptradd_const(buffer, 4 * i64::from(live));
    let first = b.ptradd_const(buffer, 4 * i64::from(live) + 8);
    let count = b.load(count, Type::I32, 4);
    let zero = b.const_int(Type::I32, 0);
    let one = b.const_int(Type::I32, 1);
    // The entry `index`, from 1 on.
    let entry = move |b: &mut Builder, index: Value| {
        let wide = b.cast(CastOp::ZExt, index, Type::I64);
        let bytes = b.const_int(Type::I64, LIVE);
        let offset = b.binary(BinOp::Mul, wide, bytes);
        let place = b.ptradd(first, offset);
        b.ptradd_const(place, -LIVE)
    };
    // The last entry that begins at the address or before it: all up to `low` do, none behind `high` does.
    let low = b.loop_(vec![zero, count], &[Type::I32], |b, params| {
        let [low, high] = [params[0], params[1]];
        let done = b.compare(CmpOp::Uge, low, high);
        b.if_then(done, |b| b.break_(vec![low]));
        let sum = b.binary(BinOp::Add, low, high);
        let sum = b.binary(BinOp::Add, sum, one);
        let middle = b.binary(BinOp::LShr, sum, one);
        let place = entry(b, middle);
        let start = b.load(place, Type::I64, 8);
        let before = b.compare(CmpOp::Ule, start, address);
        let below = b.binary(BinOp::Sub, middle, one);
        let low = b.select(before, middle, low);
        let high = b.select(before, high, below);
        b.continue_(vec![low, high]);
    })[0];
    let any = b.compare(CmpOp::Ne, low, zero);
    let right = b.if_else(
        any,
        &[Type::BOOL],
        |b| {
            let place = entry(b, low);
            let start = b.load(place, Type::I64, 8);
            let bounds = b.ptradd_const(place, 8);
            let limit = b.cast(CastOp::ZExt, limit, Type::I64);
            let bound = b.ptradd(bounds, limit);
            let bound = b.load(bound, Type::I64, 8);
            let offset = b.binary(BinOp::Sub, address, start);
            let inside = b.compare(CmpOp::Ult, offset, bound);
            let rest = b.binary(BinOp::Sub, bound, offset);
            let size = b.cast(CastOp::ZExt, size, Type::I64);
            let fits = b.compare(CmpOp::Uge, rest, size);
            let right = b.binary(BinOp::And, inside, fits);
            let low = b.cast(CastOp::Trunc, address, Type::I32);
            let low = b.binary(BinOp::And, low, mask);
            let even = b.compare(CmpOp::Eq, low, zero);
            vec![b.binary(BinOp::And, right, even)]
        },
        |b| vec![b.const_bool(false)],
    )[0];
    unless(&mut b, right, |b| {
        let object = no_object(b);
        let none = b.const_int(Type::I64, 0);
        b.call(report, vec![site, object, none, address], None);
    });
    let right = b.cast(CastOp::BoolToInt, right, Type::I32);
    b.return_(Some(right));
    b.finish();
    func
}
