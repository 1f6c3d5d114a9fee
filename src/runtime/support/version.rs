//! Which Caldera this is.

/// The platform's name.
pub const NAME: &str = "Caldera";
/// Caldera's own version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Differs from build to build when the sources do.
pub const BUILD: &str = env!("BUILD_DIGEST");
