//! Token stream to syntax tree, one external declaration at a time, so that an error in one does
//! not hide the next: `marks` cuts and marks the tokens, `grammar.pest` matches them, `decl`,
//! `stmt` and `expr` build the tree from the match, `messages` words what did not match, `recover`
//! mends it, so that the rest is still looked at.

pub mod ast;
pub mod cxx;
mod decl;
mod dump;
mod expr;
pub mod keywords;
mod marks;
mod messages;
mod recover;
mod scope;
mod stmt;

use pest::Parser;
use pest::iterators::Pair;

use super::pp::{Token, TokenStream};
use crate::diag::{Diag, ERROR_LIMIT, Sink};
use crate::options::{Options, Standard};
use crate::parallel::{in_parallel, processors};
use crate::source::SourceLoc;
use ast::{External, Name, Pragma};
use marks::{Chunk, Marker};

pub use dump::dump;

#[derive(pest_derive::Parser)]
#[grammar = "front/clc/syntax/grammar.pest"]
struct Grammar;

type Node<'c> = Pair<'c, Rule>;

/// Stands in a chunk's text for an expression with an error, which has been reported.
const BROKEN: &str = "\u{1}";

/// Text, in bytes, that is worth a change of threads, and the most threads.
const SHARE: usize = 16 << 10;
const MAX_THREADS: usize = 8;

/// Parses a translation unit. Syntax errors go to `sink`; the result holds every external
/// declaration, without what is broken in it.
///
/// Marked chunks do not depend on each other: those of a long text are shared between threads.
pub fn parse(tokens: &TokenStream, options: &Options, sink: &mut Sink) -> Vec<External> {
    if options.cxx.is_some() {
        return cxx::parse(tokens, options, sink);
    }
    let standard = options.standard;
    let mut marker = Marker::new(&tokens.tokens, standard);
    let mut chunks = Vec::new();
    let mut bytes = 0;
    loop {
        let mut said = sink.like();
        let Some(chunk) = marker.next_chunk(&mut said) else {
            sink.append(said.diags);
            break;
        };
        bytes += chunk.text.len();
        chunks.push((chunk, said));
    }
    let threads = (bytes / SHARE).min(processors()).clamp(1, MAX_THREADS);
    let mut out = Vec::new();
    for (externals, diags) in in_parallel(shares(chunks), threads - 1, parse_chunks) {
        out.extend(externals);
        sink.append(diags);
    }
    out
}

/// The tokens of each external declaration of a translation unit.
pub fn cut(tokens: &TokenStream, standard: Standard) -> Vec<Vec<Token>> {
    let mut marker = Marker::new(&tokens.tokens, standard);
    let mut cut = Vec::new();
    // What is wrong with them is said when they are parsed.
    while let Some(chunk) = marker.next_chunk(&mut Sink::default()) {
        cut.push(chunk.tokens[..chunk.tokens.len() - 1].to_vec());
    }
    cut
}

/// A chunk, and what marking it had to say.
type Marked<'t> = (Chunk<'t>, Sink);

/// Cuts a list of chunks into lists of about equal length.
fn shares(chunks: Vec<Marked>) -> Vec<Vec<Marked>> {
    let mut shares = vec![Vec::new()];
    let mut size = 0;
    for chunk in chunks {
        if size >= SHARE {
            shares.push(Vec::new());
            size = 0;
        }
        size += chunk.0.text.len();
        shares.last_mut().expect("not empty").push(chunk);
    }
    shares
}

fn parse_chunks(chunks: Vec<Marked>) -> (Vec<External>, Vec<Diag>) {
    let mut externals = Vec::new();
    let mut diags = Vec::new();
    for (mut chunk, mut sink) in chunks {
        if !chunk.too_deep {
            parse_chunk(&mut chunk, &mut sink, &mut externals);
        }
        diags.append(&mut sink.diags);
    }
    (externals, diags)
}

fn parse_chunk(chunk: &mut Chunk, sink: &mut Sink, externals: &mut Vec<External>) {
    if chunk.text == "`" {
        externals.push(External::Pragma(pragma(&chunk.tokens[0])));
        return;
    }
    let mut said = None;
    // As many errors are shown, and each costs another match.
    for round in 0..=ERROR_LIMIT {
        let error = match Grammar::parse(Rule::unit, &chunk.text) {
            Ok(mut nodes) => {
                if !chunk.lost.is_empty() {
                    externals.push(External::Lost(chunk.lost.clone()));
                }
                let node = nodes.next();
                externals.extend(node.and_then(|node| Builder::new(chunk, sink).external(node)));
                return;
            }
            Err(error) => error,
        };
        let failure = messages::failure(chunk, &error, sink);
        // At one place one error.
        if said != Some(failure.loc) || failure.missing == Some(Rule::block_end) {
            failure.report(chunk, sink);
        }
        said = Some(failure.loc);
        if round + 1 >= ERROR_LIMIT || !chunk.mend(&failure) {
            chunk.give_up();
        }
    }
}

fn pragma(token: &Token) -> Pragma {
    Pragma {
        words: token.text.split_whitespace().map(Name::from).collect(),
        loc: token.loc,
    }
}

/// Deepest tree that chains without brackets (`a + a + ...`, `else if`) may make. Later stages
/// recurse over it, and this much fits the compiler thread's stack in an unoptimised build.
const DEPTH_LIMIT: usize = 16_000;

/// Builds the tree of one chunk.
struct Builder<'c> {
    chunk: &'c Chunk<'c>,
    sink: &'c mut Sink,
    /// An upper bound of the levels above the node being built.
    depth: usize,
    /// That the limit was exceeded has been said.
    too_deep: bool,
}

impl<'c> Builder<'c> {
    fn new(chunk: &'c Chunk<'c>, sink: &'c mut Sink) -> Self {
        Builder {
            chunk,
            sink,
            depth: 0,
            too_deep: false,
        }
    }

    /// Builds something `levels` further down, unless that is too deep.
    fn deeper<T>(
        &mut self,
        levels: usize,
        loc: SourceLoc,
        build: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if self.depth + levels > DEPTH_LIMIT {
            if !self.too_deep {
                let message = format!("more than {DEPTH_LIMIT} operators or statements in a chain");
                self.sink.error(loc, message);
            }
            self.too_deep = true;
            return None;
        }
        self.depth += levels;
        let built = build(self);
        self.depth -= levels;
        Some(built)
    }

    fn index(&self, node: &Node) -> usize {
        self.chunk.index(node.as_span().start())
    }

    /// The first token of a node.
    fn token(&self, node: &Node) -> &'c Token {
        &self.chunk.tokens[self.index(node)]
    }

    fn loc(&self, node: &Node) -> SourceLoc {
        self.token(node).loc
    }

    fn name(&self, node: &Node) -> Name {
        self.token(node).text.clone()
    }

    /// The grammar matched what the builder does not know: a defect of ours.
    #[track_caller]
    fn unexpected(&mut self, node: &Node) {
        self.sink
            .internal(format!("rule {:?} was not expected here", node.as_rule()));
    }
}
