//! Objects that no device can have are errors where they are declared, used or not.

use super::Sema;
use super::types::Ty;
use crate::features::{MAX_GLOBAL_VARIABLE_SIZE, MAX_OBJECT_SIZE};
use crate::ir::Space;
use crate::source::SourceLoc;

/// Bytes that an address can be made a multiple of.
const MAX_ALIGN: u64 = 1 << 16;

/// Bytes of an object in this space.
fn limit(space: Space) -> u64 {
    match space {
        Space::Global | Space::Constant => MAX_GLOBAL_VARIABLE_SIZE,
        Space::Private | Space::Local | Space::Generic => MAX_OBJECT_SIZE,
    }
}

impl Sema<'_> {
    /// An object of this type can be had; reports otherwise. `what` is its name in messages.
    pub fn object_fits(&mut self, ty: Ty, space: Space, what: &str, loc: SourceLoc) -> bool {
        let limit = limit(space);
        if self.types.size(ty) > limit {
            self.error(loc, format!("{what} is larger than {limit} bytes"));
            return false;
        }
        true
    }

    /// The same for a variable that is aligned to `align`.
    pub fn variable_fits(&mut self, ty: Ty, align: u64, space: Space, loc: SourceLoc) -> bool {
        if align > MAX_ALIGN {
            let text = format!("variable is aligned to more than {MAX_ALIGN} bytes");
            self.error(loc, text);
            return false;
        }
        self.object_fits(ty, space, "variable", loc)
    }
}
