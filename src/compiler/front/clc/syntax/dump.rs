//! The tree as indented text.

use super::ast::External;

/// What `--emit=ast` prints.
pub fn dump(externals: &[External]) -> String {
    format!("{externals:#?}")
}
