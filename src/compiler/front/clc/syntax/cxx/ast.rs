//! What C++ for OpenCL adds to the syntax tree. Template parameters are names like others: a template
//! keeps its tree, which sema analyses again for each instantiation.

use std::sync::{Arc, OnceLock};

use super::super::ast::{
    Attribute, BinaryOp, Block, DeclSpecs, Declaration, Declarator, Expr as Tree, Initializer,
    Name, Param, StaticAssert, Stmt as Statement, TypeName,
};
use crate::source::SourceLoc;

/// A name, perhaps with scopes before it: `::a::b<int>::c`.
#[derive(Debug, Clone)]
pub struct QName {
    /// Begins with `::`.
    pub global: bool,
    /// The first may be `decltype` with an expression as its argument.
    pub parts: Vec<NamePart>,
    /// What stands before the last part depends on parameters of a template, and no `typename` before it
    /// says that it is a type.
    pub dependent: bool,
    pub loc: SourceLoc,
}

impl QName {
    /// A name without scopes before it.
    pub fn of(part: NamePart) -> QName {
        QName {
            global: false,
            dependent: false,
            loc: part.loc,
            parts: vec![part],
        }
    }

    /// The same without template arguments.
    pub fn plain(name: Name, loc: SourceLoc) -> QName {
        let args = None;
        QName::of(NamePart { name, args, loc })
    }
}

#[derive(Debug, Clone)]
pub struct NamePart {
    pub name: Name,
    /// Template arguments.
    pub args: Option<Vec<TemplateArg>>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum TemplateArg {
    Type(TypeName),
    Expr(Tree),
    /// `pattern...`, with the names of the packs in it.
    Expand(Box<TemplateArg>, Vec<Name>),
}

#[derive(Debug, Clone)]
pub enum TypeSpec {
    Named(QName),
    Class(Arc<Class>),
    Enum(Arc<Enum>),
    Auto,
    /// `decltype(e)`
    Decltype(Box<Tree>),
    /// `decltype(auto)`
    DecltypeAuto,
    /// `__underlying_type(type)`
    Underlying(Box<TypeName>),
}

#[derive(Debug, Clone)]
pub struct Enum {
    pub name: Option<QName>,
    pub scoped: bool,
    pub underlying: Option<TypeName>,
    pub items: Option<Vec<(Name, Option<Tree>, SourceLoc)>>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    Protected,
    Private,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassKey {
    Class,
    #[default]
    Struct,
    Union,
}

#[derive(Debug, Clone)]
pub struct Class {
    pub key: ClassKey,
    pub name: Option<QName>,
    pub bases: Vec<Base>,
    /// `None`: no body.
    pub members: Option<Vec<Member>>,
    pub is_final: bool,
    pub attributes: Vec<Attribute>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Base {
    pub name: TypeName,
    pub access: Access,
    /// The names of the packs, of `base...`.
    pub expand: Option<Vec<Name>>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Member {
    pub access: Access,
    pub decl: Decl,
}

#[derive(Debug, Clone)]
pub enum Decl {
    /// Variables, members, prototypes, or only a class or enumeration.
    Simple(Arc<Declaration>),
    Function(Arc<Function>),
    Template(Arc<Template>),
    Namespace {
        name: Option<Name>,
        inline: bool,
        items: Vec<Decl>,
        loc: SourceLoc,
    },
    NamespaceAlias(Name, QName),
    UsingNamespace(QName),
    /// Names, and the packs that each is expanded over.
    Using(Vec<(QName, Vec<Name>)>),
    Alias(Name, TypeName),
    /// `extern "C"` or `extern "C++"`.
    Linkage(Vec<Decl>, bool),
    StaticAssert(StaticAssert),
    /// `template class a<int>;`
    Instantiate(QName),
    /// `template <class T> a(T) -> a<T>;`: which instance arguments ask for.
    Guide(Name, Vec<Param>, TypeName),
    /// `auto [a, b] = e;`
    Bindings(Arc<Bindings>),
    /// `__opencl_c a, b;`: functions of OpenCL C that a header of OpenCL C++ declares.
    Builtins(Vec<(Name, SourceLoc)>),
    /// `friend` declarations of classes; a pragma that has no meaning here.
    Nothing,
}

#[derive(Debug, Clone)]
pub struct Bindings {
    pub specs: DeclSpecs,
    /// `&` or `&&`, as in `DeclPart::Reference`.
    pub reference: Option<bool>,
    pub names: Vec<(Name, SourceLoc)>,
    pub init: Tree,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Function {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    /// Parsed when the class around it ends.
    pub body: OnceLock<Body>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Body {
    /// Of a constructor.
    pub inits: Vec<MemberInit>,
    pub kind: BodyKind,
}

#[derive(Debug, Clone)]
pub enum BodyKind {
    Block(Block),
    Default,
    Delete,
}

/// `name(arguments)` or `name{arguments}` of a constructor.
#[derive(Debug, Clone)]
pub struct MemberInit {
    pub name: QName,
    /// A construction of nothing in particular: its arguments count.
    pub init: Initializer,
    pub expand: Option<Vec<Name>>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Template {
    /// None: an explicit specialisation.
    pub params: Vec<TemplateParam>,
    pub decl: Decl,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct TemplateParam {
    pub name: Option<Name>,
    pub kind: ParamKind,
    pub default: Option<TemplateArg>,
    pub is_pack: bool,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum ParamKind {
    Type,
    Value(Box<TypeName>),
    /// With its own parameters.
    Template(Vec<TemplateParam>),
}

/// A declarator's name that is not one identifier.
#[derive(Debug, Clone)]
pub struct DeclaratorName {
    /// The scopes before the name.
    pub scope: Option<QName>,
    /// `operator type`: the name is `operator `.
    pub conversion: Option<TypeName>,
    /// Template arguments of an explicit specialisation.
    pub args: Option<Vec<TemplateArg>>,
}

#[derive(Debug, Clone, Default)]
pub struct FunctionTail {
    pub quals: super::super::ast::Quals,
    /// `&` or `&&`.
    pub reference: Option<bool>,
    /// `-> type`
    pub result: Option<TypeName>,
    /// `noexcept`, with its condition, or `throw()`.
    pub noexcept: Option<Option<Tree>>,
    pub is_pure: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastKind {
    Static,
    Const,
    Reinterpret,
    /// `addrspace_cast`
    Space,
}

/// A part of the name of a function of OpenCL C.
#[derive(Debug, Clone)]
pub enum BuiltinPart {
    Text(Name),
    /// One of the texts, by number.
    Choice(Vec<Name>, Tree),
    /// A type as OpenCL C spells it.
    Type(TypeName),
    Number(Tree),
}

#[derive(Debug, Clone)]
pub enum Expr {
    /// `__opencl_c("convert_", T, "|_sat"[saturates])`: a function of OpenCL C, in headers of OpenCL C++.
    Builtin(Vec<BuiltinPart>),
    /// With scopes or template arguments.
    Name(QName),
    Bool(bool),
    Nullptr,
    This,
    /// `type(arguments)`
    Construct(TypeName, Vec<Tree>),
    /// `type{...}`
    ConstructList(TypeName, Initializer),
    /// `{...}` as an argument, result or operand of `=`.
    List(Initializer),
    /// `(arguments)` as the initialiser of a variable.
    Arguments(Vec<Tree>),
    Cast(CastKind, TypeName, Tree),
    /// `sizeof...(name)`
    SizeofPack(Name),
    /// `(left op ... op right)`, and the names of the packs; which side they are on.
    Fold {
        op: FoldOp,
        left: Option<Tree>,
        right: Option<Tree>,
        packs_left: bool,
        packs: Vec<Name>,
    },
    Expand(Tree, Vec<Name>),
    Lambda(Arc<Lambda>),
    /// `base.name` or `base->name` where the name is not one identifier.
    Member {
        base: Tree,
        arrow: bool,
        name: QName,
    },
    /// `base.*member` or `base->*member`.
    PointedMember {
        base: Tree,
        arrow: bool,
        member: Tree,
    },
    /// A literal with a suffix of the program's.
    UserLiteral(Tree, Name),
    Noexcept(Tree),
    New(New),
    Delete {
        /// `::delete`
        global: bool,
        array: bool,
        operand: Tree,
    },
    /// `__is_same(a, b)` and its kin; a type with the names of the packs of `type...`.
    Trait(Name, Vec<(TypeName, Vec<Name>)>),
}

#[derive(Debug, Clone)]
pub struct New {
    /// `::new`
    pub global: bool,
    pub placement: Vec<Tree>,
    pub ty: TypeName,
    /// The bound of an array of such.
    pub count: Option<Tree>,
    pub init: Option<Initializer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldOp {
    Binary(BinaryOp),
    Assign(Option<BinaryOp>),
    Comma,
}

#[derive(Debug, Clone)]
pub struct Lambda {
    /// `&` or `=` for all that is not named: whether it is the former.
    pub default: Option<bool>,
    pub captures: Vec<Capture>,
    /// The parameters, as a function's; `operator()`.
    pub function: Arc<Function>,
    /// `auto` in the parameters: the names given to the types.
    pub template: Vec<TemplateParam>,
    pub mutable: bool,
    /// Identifiers in the body, for the default.
    pub mentioned: Vec<Name>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Capture {
    /// `None`: `this`, or `*this` by value.
    pub name: Option<Name>,
    pub by_reference: bool,
    /// `name...`
    pub is_pack: bool,
    pub init: Option<Tree>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum Stmt {
    Decl(Decl),
    If {
        is_constexpr: bool,
        init: Option<Box<Statement>>,
        cond: Condition,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    Switch {
        init: Option<Box<Statement>>,
        cond: Condition,
        body: Box<Statement>,
    },
    While(Condition, Box<Statement>),
    For {
        init: Option<Box<Statement>>,
        cond: Option<Condition>,
        step: Option<Tree>,
        body: Box<Statement>,
    },
    ForRange {
        init: Option<Box<Statement>>,
        /// With one declarator, whose initialiser is the range; or bindings.
        decl: Decl,
        body: Box<Statement>,
    },
}

#[derive(Debug, Clone)]
pub enum Condition {
    Expr(Tree),
    /// With one declarator.
    Decl(Arc<Declaration>),
}
