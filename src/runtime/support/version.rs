//! The version of Caldera.

/// The platform's name.
pub const NAME: &str = "Caldera";
/// Caldera's own version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Changes with each build of changed sources.
pub const BUILD: &str = env!("BUILD_DIGEST");
