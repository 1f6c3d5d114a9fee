//! What checked kernels report (docs/check.md): the tables of a program, the launch's part of the printf buffer, and the
//! text of a report. `pass::check` makes the code that writes reports; the runtime fills in the buffer and reads it.

use std::fmt::Write;

use super::kernel::ArgAddress;
use super::printf::HEADER;
use super::source::SourceMap;

/// The object of a report whose address belongs to no known one.
pub const NO_OBJECT: u32 = u32::MAX;
/// The offset of null pointers in whatever object they would be in, and a bound of those near it.
pub const NULL_OFFSET: i64 = i64::MIN / 2;
/// Addresses below it are null pointers with an offset.
const NULL_PAGE: u64 = 4096;

/// Words of a report: object; the work-item's global id; offset and another number, both of 64 bits.
pub const REPORT: u32 = 8;

/// The functions that checked kernels call: one reports, one searches an address.
pub const REPORT_NAME: &str = "check.report";
pub const SEARCH_NAME: &str = "check.search";

/// A function that takes addresses only to say where they are.
pub fn reports(name: &str) -> bool {
    [REPORT_NAME, SEARCH_NAME].contains(&name)
}

/// The tables of a checked program; empty otherwise. `P`: a place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checks<P = String> {
    /// The most arguments of a kernel.
    pub args: u32,
    /// Some accesses search their object.
    pub searches: bool,
    /// Some accesses are looked at for races on global memory.
    pub races: bool,
    pub sites: Vec<Site<P>>,
    pub objects: Vec<Object<P>>,
}

/// An instruction that is checked. Copies of one that inlining makes are the same site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site<P = String> {
    pub kind: Kind,
    /// Bytes of an access.
    pub size: u32,
    /// What its address must be a multiple of.
    pub align: u32,
    /// File, line and column; empty if they are not known.
    pub place: P,
}

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Load,
    Store,
    Atomic,
    /// Division by zero of integers.
    Divide,
    /// A load of what was never written.
    Undefined,
    /// What another work-item did at the same time makes it a race.
    LoadRace,
    StoreRace,
    AtomicRace,
    /// Not all work-items of a group reach a barrier.
    Barrier,
    /// A read or write of an image outside of it. Its report has the coordinate and what [`texel`] says.
    TexelLoad,
    TexelStore,
    /// A packet of another size than the pipe's, which the report has.
    PacketSize,
    /// A packet that its reservation does not have: the report has its index, and in the high half the reservation's packets.
    PacketIndex,
    /// A reservation that is none of the pipe's, or is committed. The report has its id.
    Reservation,
}

/// What a report says of a coordinate of an image: the image's size there in the lowest 32 bits, and these.
pub mod texel {
    const AXIS: u32 = 32;
    /// The coordinate is a float's bits.
    pub const FLOAT: u64 = 1 << 40;
    /// It ends at 1.
    pub const NORMALIZED: u64 = 1 << 41;

    /// The number of what is no coordinate but a level of a mipmapped image.
    pub const LEVEL: u32 = 3;

    /// It is the first, second or third one.
    pub fn axis(number: u32) -> u64 {
        u64::from(number) << AXIS
    }

    /// Its name, and what it is.
    pub fn text(at: i64, about: u64) -> String {
        let name = ["x", "y", "z", "the level"][(about >> AXIS & 3) as usize];
        let size = about as u32;
        match (about & FLOAT != 0, about & NORMALIZED != 0) {
            (false, _) => format!("{name} is {at}, not from 0 to {}", size.saturating_sub(1)),
            (true, normalized) => {
                let (at, end) = (f32::from_bits(at as u32), if normalized { 1 } else { size });
                format!("{name} is {at}, not from 0 to below {end}")
            }
        }
    }
}

/// The words of shadows (`pass::check::shared`): from the highest bits a time, what was done, a few bits of what was stored, and by whom.
pub mod race {
    /// Bytes of global memory that share words.
    pub const GRANULE: u32 = 4;
    /// Bits of the parts below the time.
    pub const DEED: u32 = 2;
    pub const VALUE: u32 = 8;
    /// Of the number of a work-item in its group, and of that of a group, from 1 on. All ones are several; a word about groups has no time.
    pub const ITEM: u32 = 12;
    pub const GROUP: u32 = 22;
    /// What was done; the even ones atomically.
    pub const ATOMICALLY_READ: u32 = 0;
    pub const READ: u32 = 1;
    pub const CHANGED: u32 = 2;
    pub const WRITTEN: u32 = 3;
}

impl Kind {
    /// The race of an access.
    pub fn race(self) -> Kind {
        match self {
            Kind::Load => Kind::LoadRace,
            Kind::Atomic => Kind::AtomicRace,
            _ => Kind::StoreRace,
        }
    }
}

/// Bytes of an object that is searched.
pub const LIVE: i64 = 24;

/// A variable or an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object<P = String> {
    /// Empty where only its place is known.
    pub name: String,
    pub place: P,
    pub space: ArgAddress,
    /// It is the argument of this number; its [`Range`] is the launch's.
    pub arg: Option<u32>,
    /// Bytes that can be read and written, if it is none.
    pub readable: u64,
    pub writable: u64,
}

impl<P> Default for Checks<P> {
    fn default() -> Checks<P> {
        Checks {
            args: 0,
            searches: false,
            races: false,
            sites: Vec::new(),
            objects: Vec::new(),
        }
    }
}

impl<P> Checks<P> {
    /// The program is not checked, or has nothing that is.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The word of the printf buffer where an argument's [`Range`] lies.
    pub fn arg_word(&self, arg: u32) -> u32 {
        HEADER.next_multiple_of(2) + arg * Range::WORDS
    }

    /// The word with the number of reports of the first site; the others follow.
    pub fn counters(&self) -> u32 {
        self.arg_word(self.args)
    }

    /// The word where the report of a site lies.
    pub fn report(&self, site: u32) -> u32 {
        let first = self.counters() + self.sites.len() as u32;
        first.next_multiple_of(2) + site * REPORT
    }

    /// The word with the number of objects that are searched. Behind it and an unused word follow, of each in the order of their
    /// addresses, 64-bit numbers: its address, the bytes that can be read and those that can be written. Behind these the reports begin.
    pub fn live(&self) -> u32 {
        self.report(self.sites.len() as u32)
    }
}

/// What a launch's pointer argument points to: bytes of its object that can be read and written, counted from its beginning,
/// and the pointer's offset in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Range {
    pub readable: u64,
    pub writable: u64,
    pub offset: u64,
    /// The address of its shadow ([`race`]), two words for each [`race::GRANULE`]; 0 if it has none.
    pub shadow: u64,
}

impl Range {
    /// 32-bit words in the buffer.
    pub const WORDS: u32 = 8;

    pub fn words(self) -> [u64; 4] {
        [self.readable, self.writable, self.offset, self.shadow]
    }
}

impl Checks<crate::source::SourceLoc> {
    /// With places as texts. `map` has the files, if they are known.
    pub fn placed(self, map: &SourceMap) -> Checks {
        let text = |loc| match map
            .files
            .get(usize::try_from(self.file(loc)).unwrap_or(usize::MAX))
        {
            Some(file) => {
                let (line, column) = map.line_col(loc);
                format!("{}:{line}:{column}", file.name)
            }
            None => String::new(),
        };
        let sites = self.sites.iter().map(|site| Site {
            kind: site.kind,
            size: site.size,
            align: site.align,
            place: text(site.place),
        });
        let objects = self.objects.iter().map(|object| Object {
            name: match object.name.is_empty() {
                true => word(map, object.place),
                false => object.name.clone(),
            },
            place: text(object.place),
            space: object.space,
            arg: object.arg,
            readable: object.readable,
            writable: object.writable,
        });
        Checks {
            args: self.args,
            searches: self.searches,
            races: self.races,
            sites: sites.collect(),
            objects: objects.collect(),
        }
    }

    /// The number of the file; none for the place of what has none.
    fn file(&self, loc: crate::source::SourceLoc) -> i64 {
        match loc == Default::default() {
            true => -1,
            false => loc.file.into(),
        }
    }
}

/// The identifier at a place; empty if there is none.
fn word(map: &SourceMap, loc: crate::source::SourceLoc) -> String {
    let text = map.files.get(loc.file as usize);
    let rest = text.and_then(|file| file.text.get(loc.offset as usize..));
    let letters = rest.unwrap_or_default().chars();
    let name = letters.take_while(|c| c.is_alphanumeric() || *c == '_');
    name.collect()
}

/// A report as it lies in the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    pub site: u32,
    /// Its object, or [`NO_OBJECT`].
    pub object: u32,
    /// Global id.
    pub item: [u32; 3],
    pub offset: i64,
    /// An address, or a word of a shadow.
    pub number: u64,
}

impl Report {
    /// Of a site, from [`REPORT`] words.
    pub fn of(site: u32, words: [u32; REPORT as usize]) -> Report {
        let [object, x, y, z, a, b, c, d] = words;
        let wide = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        Report {
            site,
            object,
            item: [x, y, z],
            offset: wide(a, b) as i64,
            number: wide(c, d),
        }
    }
}

impl Checks {
    /// What a report of `kernel` is about, and a line; `None` for a damaged one. `range`: of an argument; `describe`: what is known of an
    /// address that is in no object.
    pub fn text(
        &self,
        kernel: &str,
        report: Report,
        range: impl Fn(u32) -> Range,
        describe: impl Fn(u64) -> Option<String>,
    ) -> Option<(String, String)> {
        let site = self.sites.get(report.site as usize)?;
        let object = self.objects.get(report.object as usize);
        let bounds = object.map(|object| match object.arg {
            Some(number) => range(number),
            None => Range {
                readable: object.readable,
                writable: object.writable,
                ..Range::default()
            },
        });
        let bounds = bounds.unwrap_or_default();
        let seen = Seen {
            offset: report.offset,
            readable: bounds.readable,
            writable: bounds.writable,
            address: report.number,
        };
        let mut text = match site.place.is_empty() {
            true => String::new(),
            false => format!("{}: ", site.place),
        };
        // A text takes what is written to it.
        let what = what(site, object, &seen, &describe);
        let [x, y, z] = report.item;
        let _ = write!(text, "kernel '{kernel}': {what}, work-item ({x}, {y}, {z})");
        Some((format!("{} {kernel} {}", site.place, report.site), text))
    }
}

/// The numbers of a report.
struct Seen {
    offset: i64,
    readable: u64,
    writable: u64,
    address: u64,
}

fn what(
    site: &Site,
    object: Option<&Object>,
    seen: &Seen,
    describe: &dyn Fn(u64) -> Option<String>,
) -> String {
    let access = match site.kind {
        Kind::TexelLoad | Kind::TexelStore => {
            let image = object.map_or("an image".into(), |image| image.named("image"));
            let did = if site.kind == Kind::TexelLoad {
                "read"
            } else {
                "write"
            };
            let place = texel::text(seen.offset, seen.address);
            return format!("{did} of {image} outside of it: {place}");
        }
        Kind::PacketSize | Kind::PacketIndex | Kind::Reservation => {
            return packet(site, object, seen.offset as u64);
        }
        Kind::Load | Kind::Undefined | Kind::LoadRace => "load",
        Kind::Store | Kind::StoreRace => "store",
        Kind::Atomic | Kind::AtomicRace => "atomic operation",
        Kind::Barrier => return "a barrier that not all work-items of the group reach".into(),
        Kind::Divide => return "division of an integer by zero".into(),
    };
    let access = format!("{access} of {}", bytes(site.size.into()));
    let whole = seen.readable.max(seen.writable);
    let Some(object) = object else {
        let address = seen.address;
        if address < NULL_PAGE {
            return format!("{access} through a null pointer");
        }
        let place =
            describe(address).unwrap_or(format!("address {address:#x}, which is in no object"));
        let odd = site.align > 1 && !address.is_multiple_of(site.align.into());
        let why = match odd {
            true => format!(": the address is no multiple of {}", site.align),
            false => String::new(),
        };
        return format!("{access} at {place}{why}");
    };
    let name = object.text();
    if site.kind == Kind::Undefined {
        return format!("{access} of {name}, which was never written");
    }
    if matches!(
        site.kind,
        Kind::LoadRace | Kind::StoreRace | Kind::AtomicRace
    ) {
        let word = seen.address as u32;
        let groups = seen.address >> 32 != 0;
        let bits = if groups { race::GROUP } else { race::ITEM };
        let several = (1 << bits) - 1;
        let who = match (groups, word & several) {
            (true, number) if number == several => "several work-groups have".into(),
            (true, group) => format!("work-group {} has", group.wrapping_sub(1)),
            (false, number) if number == several => "several work-items of the group have".into(),
            (false, item) => format!("work-item {item} of the group has"),
        };
        let since = if groups {
            ""
        } else {
            " since the last barrier"
        };
        let did = match word >> (bits + race::VALUE) & 3 {
            race::ATOMICALLY_READ => "read it atomically",
            race::READ => "read it",
            race::CHANGED => "changed it atomically",
            _ => "written it",
        };
        let offset = seen.offset;
        return format!("race: {access} at offset {offset} of {name}: {who} {did}{since}");
    }
    let gone = (whole == 0 && seen.address >= NULL_PAGE)
        .then(|| describe(seen.address))
        .flatten();
    if let Some(what) = gone {
        return format!("{access} at {what}, by {name}");
    }
    if seen.offset < NULL_OFFSET / 2 || whole == 0 {
        return format!("{access} through a null pointer, by {name}");
    }
    let at = format!(
        "{access} at offset {} of {name}, which has {}",
        seen.offset,
        bytes(whole.into())
    );
    let (start, end) = (
        i128::from(seen.offset),
        i128::from(seen.offset) + i128::from(site.size),
    );
    let whole = i128::from(whole);
    if start < 0 {
        return format!("{at}: {} before its beginning", bytes(-start));
    }
    if start >= whole {
        return match start - whole {
            0 => format!("{at}: right behind its end"),
            n => format!("{at}: {} behind its end", bytes(n)),
        };
    }
    if end > whole {
        return format!("{at}: the last {} are behind its end", bytes(end - whole));
    }
    let limit = |n: u64| end > i128::from(n);
    match site.kind {
        Kind::Load if limit(seen.readable) => format!("{at}: it can only be written"),
        Kind::Store | Kind::Atomic if limit(seen.writable) => {
            format!("{at}: it can only be read")
        }
        _ => format!("{at}: the address is no multiple of {}", site.align),
    }
}

/// What is wrong about a pipe; `number` is the report's.
fn packet(site: &Site, object: Option<&Object>, number: u64) -> String {
    let pipe = object.map_or("a pipe".into(), |pipe| pipe.named("pipe"));
    let counted = |n: u64| match n {
        1 => "1 packet".into(),
        _ => format!("{n} packets"),
    };
    match (site.kind, number) {
        (Kind::PacketSize, own) => {
            let [given, own] = [site.size.into(), own.into()].map(bytes);
            format!("a packet of {given} for {pipe}, whose packets have {own}")
        }
        (Kind::PacketIndex, number) => {
            let (index, count) = (number as u32, counted(number >> 32));
            format!("packet {index} of a reservation of {pipe} that has {count}")
        }
        (_, 0) => format!("a reservation of {pipe} that has failed"),
        (_, id) => {
            let count = counted(id >> 32);
            format!("a reservation of {count} that {pipe} does not have, or that is committed")
        }
    }
}

fn bytes(n: i128) -> String {
    match n {
        1 => "1 byte".into(),
        _ => format!("{n} bytes"),
    }
}

impl Object {
    fn text(&self) -> String {
        let space = match self.space {
            ArgAddress::Global => "global",
            ArgAddress::Constant => "constant",
            ArgAddress::Local => "local",
            ArgAddress::Private => "private",
        };
        self.named(space)
    }

    /// `what`: of what kind it is.
    fn named(&self, what: &str) -> String {
        match (self.arg, self.name.as_str()) {
            (Some(number), "") => format!("{what} argument {number}"),
            (Some(_), name) => format!("{what} argument '{name}'"),
            (None, "") => format!("a {what} object"),
            (None, name) => format!("{what} variable '{name}'"),
        }
    }
}
