//! The preprocessor: OpenCL C source to a stream of tokens.

mod token;

pub use token::{Token, TokenKind, TokenStream};

use crate::compiler::diag::Sink;
use crate::compiler::options::Options;
use crate::compiler::source::{SourceMap, Sources};
use crate::compiler::target::Target;

/// Preprocesses the main file of `src`, which becomes file 0 of an empty `map`. Errors go to `sink`;
/// the stream holds what could be made of the source even then.
pub fn preprocess(
    _src: &Sources,
    _opts: &Options,
    _target: &Target,
    _map: &mut SourceMap,
    _sink: &mut Sink,
) -> TokenStream {
    TokenStream::default()
}

/// The preprocessed text, as `caldera compile -E` prints it.
pub fn to_text(_stream: &TokenStream, _map: &SourceMap) -> String {
    String::new()
}
