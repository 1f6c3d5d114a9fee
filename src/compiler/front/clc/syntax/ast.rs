//! The syntax tree: what the grammar saw, nothing resolved.

use std::sync::Arc;

use super::cxx::ast as cxx;
use crate::source::SourceLoc;

pub type Name = Arc<str>;

/// An external declaration.
#[derive(Debug, Clone)]
pub enum External {
    Function(FunctionDef),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Pragma(Pragma),
    /// Of C++ for OpenCL.
    Cxx(cxx::Decl),
    /// Names that something with a syntax error may have declared.
    Lost(Vec<Name>),
}

/// `_Static_assert(condition, "message");`
#[derive(Debug, Clone)]
pub struct StaticAssert {
    pub condition: Expr,
    /// As spelled, quotes included; empty when there is none.
    pub message: Vec<Name>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct FunctionDef {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub body: Block,
}

/// `specs init-declarator, ...;`
#[derive(Debug, Clone)]
pub struct Declaration {
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

/// Declaration specifiers in any order, sorted by kind.
#[derive(Debug, Clone, Default)]
pub struct DeclSpecs {
    pub storage: Vec<(Storage, SourceLoc)>,
    pub quals: Quals,
    /// Type specifier words as written: `unsigned`, `long`, a struct, a typedef name...
    pub types: Vec<(TypeSpec, SourceLoc)>,
    pub functions: Vec<(FunctionSpec, SourceLoc)>,
    pub attributes: Vec<Attribute>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionSpec {
    Kernel,
    Inline,
    /// Those below are C++'s.
    Constexpr,
    Explicit,
    Friend,
    Mutable,
    Virtual,
}

/// Type qualifiers, address space and image access of one specifier list or pointer.
#[derive(Debug, Clone, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
    /// Every one written, so that conflicting ones can be diagnosed.
    pub spaces: Vec<(SpaceQual, SourceLoc)>,
    pub access: Option<(AccessQual, SourceLoc)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaceQual {
    Private,
    Local,
    Global,
    Constant,
    Generic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessQual {
    ReadOnly,
    WriteOnly,
    ReadWrite,
}

#[derive(Debug, Clone)]
pub enum TypeSpec {
    /// A builtin type word: `void`, `unsigned`, `float4`, `size_t`, `image2d_t`, `event_t`...
    Builtin(Name),
    /// A name declared by a typedef in scope.
    Typedef(Name),
    Record(Record),
    Enum(Enum),
    /// `_Atomic(type)`, which is an error.
    Atomic(Box<TypeName>),
    /// `typeof(expr)` / `typeof(type)`.
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `__auto_type`: the type of this initialiser's value.
    TypeofValue(Box<Expr>),
    Cxx(cxx::TypeSpec),
}

#[derive(Debug, Clone)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<Name>,
    /// `None`: a reference (`struct s`), no body.
    pub fields: Option<Vec<MemberDecl>>,
    pub attributes: Vec<Attribute>,
    pub loc: SourceLoc,
}

/// A member declaration.
#[derive(Debug, Clone)]
pub struct MemberDecl {
    pub specs: DeclSpecs,
    /// Empty: an anonymous struct or union. The width of a bit-field is diagnosed in sema.
    pub declarators: Vec<(Declarator, Option<Expr>)>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Enum {
    pub tag: Option<Name>,
    pub items: Option<Vec<(Name, Option<Expr>, SourceLoc)>>,
    pub attributes: Vec<Attribute>,
    pub loc: SourceLoc,
}

/// A declarator, read outwards from the name: `int *a[3]` is name `a`, parts
/// `[Array(3), Pointer]`.
#[derive(Debug, Clone, Default)]
pub struct Declarator {
    pub name: Option<Name>,
    /// Of C++: the name is one of another scope, an operator's or a destructor's.
    pub cxx: Option<Box<cxx::DeclaratorName>>,
    pub parts: Vec<DeclPart>,
    pub attributes: Vec<Attribute>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum DeclPart {
    Pointer(Quals, Vec<Attribute>),
    /// `None`: `[]`. Qualifiers and `static` inside are kept in `quals`.
    Array(Option<Box<Expr>>, Quals),
    Function {
        params: Vec<Param>,
        variadic: bool,
        /// What C++ has behind the parameters.
        tail: Option<Box<cxx::FunctionTail>>,
    },
    /// `&` or `&&`: whether it is the latter.
    Reference(bool),
    /// A block (`^`).
    Block(Quals),
    /// `class::*`
    Member(Box<cxx::QName>, Quals),
}

#[derive(Debug, Clone)]
pub struct Param {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    /// Of C++: the default argument, and whether it is a pack.
    pub default: Option<Box<Expr>>,
    pub is_pack: bool,
}

/// A type in a cast, sizeof or compound literal.
#[derive(Debug, Clone)]
pub struct TypeName {
    pub specs: DeclSpecs,
    /// Abstract: no name.
    pub declarator: Declarator,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Attribute {
    /// Without leading and trailing `__`.
    pub name: Name,
    pub args: Vec<AttrArg>,
    /// As written inside the double parentheses.
    pub text: String,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum AttrArg {
    Expr(Expr),
    Type(TypeName),
}

#[derive(Debug, Clone)]
pub enum Initializer {
    Expr(Expr),
    List(Vec<(Vec<Designator>, Initializer)>, SourceLoc),
}

#[derive(Debug, Clone)]
pub enum Designator {
    Field(Name, SourceLoc),
    Index(Expr),
    /// `[first ... last]`, both included.
    Range(Expr, Expr),
}

#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    /// Where clang puts the caret: the operator of a binary, the start of a primary.
    pub loc: SourceLoc,
}

/// `type: e` or `default: e` of a selection.
#[derive(Debug, Clone)]
pub struct Association {
    pub ty: Option<TypeName>,
    pub value: Expr,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    /// With an error, which has been reported.
    Error,
    Ident(Name),
    /// A number as spelled.
    Number(Name),
    /// A character constant as spelled, quotes included.
    Char(Name),
    /// Adjacent literals, as spelled.
    Str(Vec<Name>),
    /// `( e )`
    Paren(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    PostInc(Box<Expr>),
    PostDec(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `=` is `None`, `+=` is `Some(Add)`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// Callee name or expression, arguments.
    Call(Box<Expr>, Vec<Expr>),
    /// `.name`
    Member(Box<Expr>, Name),
    /// `->name`
    Arrow(Box<Expr>, Name),
    Cast(Box<TypeName>, Box<Expr>),
    /// `(float4)(a, b)`: a cast whose operand is a parenthesised list of at least two.
    VectorLiteral(Box<TypeName>, Vec<Expr>),
    /// `(type){...}`
    CompoundLiteral(Box<TypeName>, Box<Initializer>),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    /// `vec_step(type)`, `__builtin_offsetof(type, member)`, `__builtin_astype(e, type)`.
    VecStepType(Box<TypeName>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    AsType(Box<Expr>, Box<TypeName>),
    /// `__builtin_convertvector(e, type)`
    ConvertVector(Box<Expr>, Box<TypeName>),
    /// `__builtin_types_compatible_p(type, type)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `_Generic(e, type: e, default: e)`
    Selection(Box<Expr>, Vec<Association>),
    /// `({ ... })`
    StatementExpr(Block),
    /// `^type(parameters) { ... }`: the type of what it gives, or of the function, if it is written, else the parameters.
    BlockLiteral(Option<Box<TypeName>>, Vec<Param>, Block),
    Cxx(Box<cxx::Expr>),
    /// An operand that has been analysed, by its number in sema.
    Analysed(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    LogAnd,
    LogOr,
}

#[derive(Debug, Clone, Default)]
pub struct Block {
    pub items: Vec<Stmt>,
    pub loc: SourceLoc,
    /// The closing brace.
    pub end: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Stmt {
    pub kind: StmtKind,
    /// Before the statement: opencl_unroll_hint and its kin.
    pub attributes: Vec<Attribute>,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum StmtKind {
    /// `;` has none.
    Expr(Option<Expr>),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Block(Block),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    Switch(Expr, Box<Stmt>),
    /// Value, end of a GNU range, statement.
    Case(Expr, Option<Expr>, Box<Stmt>),
    Default(Box<Stmt>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    /// The first is an expression statement, a declaration or nothing.
    For(Option<Box<Stmt>>, Option<Expr>, Option<Expr>, Box<Stmt>),
    Goto(Name),
    Label(Name, Box<Stmt>),
    Break,
    Continue,
    Return(Option<Expr>),
    Pragma(Pragma),
    /// `asm(...)`: diagnosed in sema.
    Asm,
    Cxx(Box<cxx::Stmt>),
}

/// The words of a `#pragma` that reached the parser.
#[derive(Debug, Clone)]
pub struct Pragma {
    pub words: Vec<Name>,
    pub loc: SourceLoc,
}
