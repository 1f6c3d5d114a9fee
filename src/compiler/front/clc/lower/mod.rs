//! stub
pub fn lower(
    _u: &super::sema::tree::Unit,
    _o: &crate::compiler::options::Options,
    _t: &crate::compiler::target::Target,
    _s: &mut crate::compiler::diag::Sink,
) -> crate::compiler::ir::Module {
    Default::default()
}
