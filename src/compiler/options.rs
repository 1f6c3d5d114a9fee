//! Build options of clBuildProgram, clCompileProgram and clLinkProgram
//! (OpenCL API specification, section 5.8.6), parsed once.

/// The OpenCL C version that `-cl-std` chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standard {
    Cl10,
    Cl11,
    Cl12,
    Cl20,
    Cl30,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Options {
    /// `-D` and `-U` in their order: (name with parameters, `Some(body)` or `None` for `-U`).
    pub macros: Vec<(String, Option<String>)>,
    /// `-I`, in order.
    pub include_dirs: Vec<String>,
    /// OpenCL C 1.2 when no `-cl-std` is given.
    pub standard: Standard,
    pub single_precision_constant: bool,
    pub denorms_are_zero: bool,
    pub correctly_rounded_divide_sqrt: bool,
    pub opt_disable: bool,
    pub strict_aliasing: bool,
    pub mad_enable: bool,
    pub no_signed_zeros: bool,
    pub unsafe_math: bool,
    pub finite_math: bool,
    pub fast_relaxed_math: bool,
    pub uniform_work_group_size: bool,
    pub no_subgroup_ifp: bool,
    pub no_warnings: bool,
    pub warnings_are_errors: bool,
    pub kernel_arg_info: bool,
    pub create_library: bool,
    pub enable_link_options: bool,
}
