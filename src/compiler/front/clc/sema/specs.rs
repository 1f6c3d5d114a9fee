//! Declaration specifiers to a type: which words go together (C99 6.7.2, OpenCL C 6.3).

use super::Sema;
use super::display::image_type_name;
use super::features::is_extension;
use super::pipes;
use super::scope::{Entity, Spec, Tag};
use super::types::{IMAGE_TYPES, ImageAccess, ImageDim, ImageKind, NDRANGE, Prim, Ty, TypeKind};
use crate::front::clc::syntax::ast::{
    AccessQual, DeclSpecs, Name, Quals, SpaceQual, Storage, TypeSpec,
};
use crate::front::clc::syntax::keywords::AUTO_TYPE;
use crate::ir::Space;
use crate::options::Standard;
use crate::source::SourceLoc;

/// Names of builtin types that are a primitive, or an atomic of one.
const ALIASES: &[(&str, Prim)] = &[
    ("_Bool", Prim::Bool),
    ("size_t", Prim::ULong),
    ("uintptr_t", Prim::ULong),
    ("ptrdiff_t", Prim::Long),
    ("intptr_t", Prim::Long),
    ("wchar_t", Prim::Int),
    ("char16_t", Prim::UShort),
    ("char32_t", Prim::UInt),
    ("cl_mem_fence_flags", Prim::UInt),
    ("memory_order", Prim::UInt),
    ("memory_scope", Prim::UInt),
    ("kernel_enqueue_flags_t", Prim::UInt),
    ("clk_profiling_info", Prim::UInt),
];

/// What no kernel parameter may be (OpenCL C 6.11).
pub const HOST_SIZED: &[&str] = &["size_t", "ptrdiff_t", "intptr_t", "uintptr_t"];

const ATOMICS: &[(&str, Prim)] = &[
    ("atomic_int", Prim::Int),
    ("atomic_uint", Prim::UInt),
    ("atomic_long", Prim::Long),
    ("atomic_ulong", Prim::ULong),
    ("atomic_half", Prim::Half),
    ("atomic_float", Prim::Float),
    ("atomic_double", Prim::Double),
    ("atomic_flag", Prim::Int),
    ("atomic_intptr_t", Prim::Long),
    ("atomic_uintptr_t", Prim::ULong),
    ("atomic_size_t", Prim::ULong),
    ("atomic_ptrdiff_t", Prim::Long),
];

/// What atomic types of 64 bits need (6.3.1).
const INT64_ATOMICS: &[&str] = &["cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"];

/// The words of a type that is spelled with several.
#[derive(Default)]
struct Words {
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    /// char, int, float, double, half, void or bool; with its place.
    base: Option<Name>,
}

impl Words {
    /// The primitive that the words make; `None` if they do not go together.
    fn prim(&self) -> Option<Prim> {
        let sign = self.signed || self.unsigned;
        if self.signed && self.unsigned || self.short && self.longs > 0 {
            return None;
        }
        let pick = |s, u| Some(if self.unsigned { u } else { s });
        match self.base.as_deref() {
            Some("char") if !self.short && self.longs == 0 => pick(Prim::Char, Prim::UChar),
            Some("int") | None if self.short => pick(Prim::Short, Prim::UShort),
            Some("int") | None if self.longs > 0 => pick(Prim::Long, Prim::ULong),
            Some("int") | None => pick(Prim::Int, Prim::UInt),
            Some("double") if self.longs <= 1 && !sign && !self.short => Some(Prim::Double),
            Some(name) if !sign && !self.short && self.longs == 0 => Prim::from_name(name),
            _ => None,
        }
    }

    /// False if the word is not one of these or comes twice.
    fn add(&mut self, word: &Name) -> bool {
        let flag = match &**word {
            "signed" | "__signed" | "__signed__" => &mut self.signed,
            "unsigned" => &mut self.unsigned,
            "short" => &mut self.short,
            "long" => {
                self.longs += 1;
                return self.longs <= 2;
            }
            _ => {
                return self.base.replace(word.clone()).is_none();
            }
        };
        !std::mem::replace(flag, true)
    }
}

/// Words that combine with others.
fn is_combining(word: &str) -> bool {
    matches!(
        word,
        "signed"
            | "__signed"
            | "__signed__"
            | "unsigned"
            | "short"
            | "long"
            | "char"
            | "int"
            | "double"
    )
}

/// Features that types need.
const IMAGES: &str = "__opencl_c_images";
const QUEUES: &str = "__opencl_c_device_enqueue";

impl Sema<'_> {
    /// The type that the specifiers name.
    pub fn specs(&mut self, specs: &DeclSpecs) -> Spec {
        let words = self.type_words(specs);
        let mut spec = self.vector_attributes(words, &specs.attributes);
        self.apply_quals(&mut spec, &specs.quals, specs.loc);
        if let Some((access, loc)) = specs.quals.access {
            let named = !matches!(specs.types[..], [(TypeSpec::Builtin(_), _)]);
            self.apply_access(&mut spec, access, named, loc);
        }
        spec
    }

    fn type_words(&mut self, specs: &DeclSpecs) -> Spec {
        match specs.types.iter().position(pipes::is_pipe) {
            Some(at) => self.pipe(&specs.types, at),
            None => self.words_type(&specs.types, specs.loc),
        }
    }

    /// The type that words other than `pipe` name; `loc` is that of the specifiers.
    pub fn words_type(&mut self, types: &[(TypeSpec, SourceLoc)], loc: SourceLoc) -> Spec {
        let start = loc;
        if let [(TypeSpec::Builtin(word), loc)] = types
            && !is_combining(word)
        {
            // A name of OpenCL C's that a scope of the program has given a meaning of its own.
            if self.cxx.is_some() {
                match self.scopes.find(word).map(|s| s.entity) {
                    Some(Entity::Typedef(spec)) => return spec,
                    Some(Entity::Error) => return Spec::plain(self.types.error()),
                    _ => {}
                }
            }
            return Spec {
                host_sized: HOST_SIZED.contains(&&**word),
                ..Spec::plain(self.builtin_type(word, *loc))
            };
        }
        let mut words = Words::default();
        let mut made: Option<Spec> = None;
        let mut has_words = false;
        for (part, loc) in types {
            let spec = match part {
                TypeSpec::Builtin(word) => {
                    if made.is_some() || !words.add(word) {
                        return self.bad_combination(word, *loc);
                    }
                    has_words = true;
                    continue;
                }
                TypeSpec::Typedef(name) => self.typedef_name(name, *loc),
                TypeSpec::Cxx(spec) => self.cxx_type_spec(spec, *loc),
                TypeSpec::Record(record) => Spec::plain(self.record_spec(record)),
                TypeSpec::Enum(item) => Spec::plain(self.enum_spec(item)),
                TypeSpec::Atomic(name) => {
                    self.no_atomic(*loc);
                    self.type_name(name)
                }
                TypeSpec::TypeofType(name) => self.type_name(name),
                TypeSpec::TypeofValue(e) => {
                    let op = self.unevaluated(e);
                    Spec::plain(self.value_of(op).ty)
                }
                TypeSpec::TypeofExpr(e) => {
                    let op = self.unevaluated(e);
                    let q = self.operand_type(&op);
                    Spec {
                        is_const: q.is_const,
                        is_volatile: q.is_volatile,
                        ..Spec::plain(q.ty)
                    }
                }
            };
            if has_words || made.is_some() {
                let text = self.types.spell(spec.ty);
                return self.bad_combination(&text, *loc);
            }
            made = Some(spec);
        }
        if let Some(spec) = made {
            return spec;
        }
        if !has_words && self.cxx.is_none() {
            // An error of C99; but clang took it until version 16, and old programs have it.
            self.sink
                .warning(start, "type specifier missing, defaults to 'int'");
            return Spec::plain(self.types.prim(Prim::Int));
        }
        if !has_words {
            self.error(
                start,
                "type specifier missing, defaults to 'int'; ISO C99 and later do not support implicit int",
            );
            return Spec::plain(self.types.error());
        }
        match words.prim() {
            Some(prim) => {
                let ty = self.types.prim(prim);
                Spec::plain(self.checked_prim(prim, ty, types[0].1))
            }
            None => {
                let (word, loc) = match types.last() {
                    Some((TypeSpec::Builtin(word), loc)) => (word.clone(), *loc),
                    _ => ("int".into(), start),
                };
                self.bad_combination(&word, loc)
            }
        }
    }

    pub fn bad_combination(&mut self, word: &str, loc: SourceLoc) -> Spec {
        self.error(
            loc,
            format!("cannot combine with previous '{word}' declaration specifier"),
        );
        Spec::plain(self.types.error())
    }

    fn typedef_name(&mut self, name: &Name, loc: SourceLoc) -> Spec {
        match self.scopes.find(name).map(|s| s.entity) {
            Some(Entity::Typedef(spec)) => spec,
            Some(Entity::Error) => Spec::plain(self.types.error()),
            Some(Entity::Ambiguous) => {
                self.ambiguous(name, loc);
                Spec::plain(self.types.error())
            }
            _ if self.lost.contains(name) => Spec::plain(self.types.error()),
            _ => {
                self.error(loc, format!("unknown type name '{name}'"));
                Spec::plain(self.types.error())
            }
        }
    }

    /// A type that is a keyword of the language.
    pub fn builtin_type(&mut self, name: &str, loc: SourceLoc) -> Ty {
        if name == AUTO_TYPE {
            let text = format!("'{name}' is only for variables whose initializer is an expression");
            self.error(loc, text);
            return self.types.error();
        }
        if let Some((prim, lanes)) = Prim::split_vector_name(name) {
            if prim == Prim::Bool && lanes > 1 && !self.opts.is_opencl_cxx() {
                self.error(loc, format!("'{name}' is a reserved type name"));
                return self.types.error();
            }
            let ty = self.types.of_arith(super::Arith { prim, lanes });
            return self.checked_prim(prim, ty, loc);
        }
        if let Some(&(_, prim)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
            return self.types.prim(prim);
        }
        if let Some(&(_, prim)) = ATOMICS.iter().find(|(alias, _)| *alias == name) {
            if !self.features.atomics {
                return self.too_new(name, "2.0", loc);
            }
            let needed = match prim.size() {
                8 => INT64_ATOMICS,
                _ => &[],
            };
            let missing = needed.iter().find(|name| !is_extension(name, self.target));
            if let Some(missing) = missing.copied().or(self.features.lacking(prim)) {
                let text = format!("use of type '{name}' requires {missing} support");
                self.error(loc, text);
                return self.types.error();
            }
            return self.types.intern(TypeKind::Atomic(prim));
        }
        if let Some(&(_, dim, arrayed, depth)) =
            IMAGE_TYPES.iter().find(|(image, ..)| *image == name)
        {
            let new = arrayed || matches!(dim, ImageDim::D1 | ImageDim::D1Buffer);
            if new && self.opts.standard < Standard::Cl12 {
                return self.too_new(name, "1.2", loc);
            }
            let access = ImageAccess::Read;
            if self.lacks_feature(name, IMAGES, loc) {
                return self.types.error();
            }
            return self.types.intern(TypeKind::Image(ImageKind {
                dim,
                arrayed,
                depth,
                access,
            }));
        }
        let kind = match name {
            "void" => TypeKind::Void,
            "sampler_t" if self.lacks_feature(name, IMAGES, loc) => TypeKind::Error,
            "sampler_t" => TypeKind::Sampler,
            "event_t" => TypeKind::Event,
            "queue_t" | "clk_event_t" | "ndrange_t" if self.opts.standard < Standard::Cl20 => {
                return self.too_new(name, "2.0", loc);
            }
            "queue_t" | "clk_event_t" | "ndrange_t" if self.lacks_feature(name, QUEUES, loc) => {
                TypeKind::Error
            }
            "queue_t" => TypeKind::Queue,
            "clk_event_t" => TypeKind::DeviceEvent,
            "ndrange_t" => TypeKind::Record(NDRANGE),
            "reserve_id_t" => match self.lacks_pipes(name, loc) {
                true => TypeKind::Error,
                false => TypeKind::ReserveId,
            },
            _ => {
                self.error(loc, format!("use of type '{name}' is not supported"));
                TypeKind::Error
            }
        };
        self.types.intern(kind)
    }

    /// A type of a later version than the program's.
    pub fn too_new(&mut self, name: &str, version: &str, loc: SourceLoc) -> Ty {
        let text = format!("use of type '{name}' requires OpenCL C {version} or later");
        self.error(loc, text);
        self.types.error()
    }

    /// double needs its extension; half is checked where it is used.
    fn checked_prim(&mut self, prim: Prim, ty: Ty, loc: SourceLoc) -> Ty {
        let half = prim == Prim::Half && self.types.vector(ty).is_none();
        let Some(missing) = self.features.lacking(prim).filter(|_| !half) else {
            return ty;
        };
        let text = self.types.spell(ty);
        self.error(
            loc,
            format!("use of type '{text}' requires {missing} support"),
        );
        self.types.error()
    }

    /// OpenCL C 6.15.12: only the atomic types have atomic values.
    fn no_atomic(&mut self, loc: SourceLoc) {
        self.error(loc, "'_Atomic' is not supported in OpenCL C");
    }

    /// Adds qualifiers and the address space.
    pub fn apply_quals(&mut self, spec: &mut Spec, quals: &Quals, loc: SourceLoc) {
        spec.is_const |= quals.is_const;
        spec.is_volatile |= quals.is_volatile;
        if quals.is_restrict {
            if self.types.pointee(spec.ty).is_some() || self.types.is_error(spec.ty) {
                spec.is_restrict = true;
            } else {
                let text = self.types.show(spec.ty);
                self.error(
                    loc,
                    format!("restrict requires a pointer or reference ({text} is invalid)"),
                );
            }
        }
        if quals.is_atomic {
            match self.types.scalar(spec.ty) {
                // OpenCL C's atomic types, by which <opencl_atomic> defines its own.
                Some(prim) if self.in_cl() => spec.ty = self.types.intern(TypeKind::Atomic(prim)),
                _ => self.no_atomic(loc),
            }
        }
        for &(written, loc) in &quals.spaces {
            let space = match written {
                SpaceQual::Private => Space::Private,
                SpaceQual::Local => Space::Local,
                SpaceQual::Global => Space::Global,
                SpaceQual::Constant => Space::Constant,
                SpaceQual::Generic => Space::Generic,
            };
            if space == Space::Generic && !self.features.generic {
                self.error(
                    loc,
                    "OpenCL C version does not support the '__generic' type qualifier",
                );
                continue;
            }
            match spec.space {
                Some(old) if old == space => self
                    .sink
                    .warning(loc, "multiple identical address spaces specified for type"),
                Some(_) => {
                    self.error(loc, "multiple address spaces specified for type");
                    // Of an argument of a template: what it declares is not looked at any more.
                    if self.cxx.is_some() {
                        spec.ty = self.types.error();
                    }
                }
                None => spec.space = Some(space),
            }
        }
        // Constant memory never changes: clang adds the qualifier too.
        spec.is_const |= spec.space == Some(Space::Constant);
    }

    /// Reports that `-cl-ext` has turned writes of 3D images off.
    fn lacks_3d_writes(&mut self, kind: ImageKind, loc: SourceLoc) -> bool {
        let needed = match self.opts.standard {
            Standard::Cl30 | Standard::Cl31 => {
                "cl_khr_3d_image_writes and __opencl_c_3d_image_writes"
            }
            Standard::Cl20 => return false,
            _ => "cl_khr_3d_image_writes",
        };
        let lacks = !is_extension("cl_khr_3d_image_writes", self.target);
        if lacks {
            let name = image_type_name(kind);
            let text = format!("use of type '__write_only {name}' requires {needed} support");
            self.error(loc, text);
        }
        lacks
    }

    /// `named`: the type has a name of the program's.
    fn apply_access(&mut self, spec: &mut Spec, access: AccessQual, named: bool, loc: SourceLoc) {
        let access = match access {
            AccessQual::ReadOnly => ImageAccess::Read,
            AccessQual::WriteOnly => ImageAccess::Write,
            AccessQual::ReadWrite => ImageAccess::ReadWrite,
        };
        match *self.types.kind(spec.ty) {
            TypeKind::Image(kind) => {
                if access == ImageAccess::ReadWrite && !self.features.read_write_images {
                    let name = image_type_name(kind);
                    self.error(
                        loc,
                        format!(
                            "access qualifier '__read_write' cannot be used for '{name}' prior to \
                             OpenCL C version 2.0 or in version 3.0 and without \
                             __opencl_c_read_write_images feature"
                        ),
                    );
                    return;
                }
                let is_3d = kind.dim == ImageDim::D3 && access != ImageAccess::Read;
                if is_3d && self.lacks_3d_writes(kind, loc) {
                    return;
                }
                // A type's name has one already; without, it is read_only.
                if (named || kind.access != ImageAccess::Read) && kind.access != access {
                    self.error(loc, "multiple access qualifiers");
                    return;
                }
                spec.ty = self
                    .types
                    .intern(TypeKind::Image(ImageKind { access, ..kind }));
            }
            TypeKind::Pipe(packet, given) => spec.ty = self.pipe_access(packet, given, access, loc),
            TypeKind::Error => {}
            _ => self.error(
                loc,
                "access qualifier can only be used for pipe and image type",
            ),
        }
    }

    /// The storage class, after the checks of OpenCL C 6.9.
    pub fn storage(&mut self, specs: &DeclSpecs) -> Option<Storage> {
        let mut result = None;
        for &(storage, loc) in &specs.storage {
            let word = match storage {
                Storage::Auto => "auto",
                Storage::Register => "register",
                Storage::Static => "static",
                Storage::Extern => "extern",
                Storage::Typedef => "typedef",
            };
            match storage {
                Storage::Auto | Storage::Register => self.error(
                    loc,
                    format!("OpenCL C version 1.2 does not support the '{word}' storage class specifier"),
                ),
                Storage::Static | Storage::Extern if self.opts.standard < Standard::Cl12 => self.error(
                    loc,
                    format!("OpenCL C version 1.1 does not support the '{word}' storage class specifier"),
                ),
                _ if result.is_some_and(|r| r != storage) => self.error(
                    loc,
                    format!("cannot combine with previous '{word}' declaration specifier"),
                ),
                _ => result = Some(storage),
            }
        }
        result
    }

    /// Finds a tag for a reference, or `None`.
    pub fn tag(&self, name: &str, here: bool) -> Option<(Tag, SourceLoc)> {
        if here {
            self.scopes.find_tag_here(name)
        } else {
            self.scopes.find_tag(name)
        }
    }
}
