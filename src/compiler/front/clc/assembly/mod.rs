//! Inline assembly. An `asm` statement in a function becomes the OpenCL C that does the same before the parser sees it, so that both
//! languages have it and nothing behind the parser knows of it. The assembly is NVIDIA's PTX, which programs
//! use where the device's vendor is NVIDIA, whoever made the driver (docs/extensions.md). `statement` reads the operands, `ptx` the
//! instructions; `instructions` has what each of them computes, and `writer`, `arithmetic` and `memory` write it.

mod arithmetic;
mod instructions;
mod memory;
mod operands;
mod ptx;
mod statement;
mod writer;

use super::pp::{Token, TokenKind, TokenStream};
use crate::diag::Sink;

/// Puts OpenCL C in the place of each `asm` statement. What cannot be had is an error at the text of the assembly.
pub fn translate(stream: TokenStream, sink: &mut Sink) -> TokenStream {
    if !stream.tokens.iter().any(is_asm) {
        return stream;
    }
    let from = stream.tokens;
    let mut tokens = Vec::with_capacity(from.len());
    let mut depth = 0;
    let mut at = 0;
    while at < from.len() {
        if depth > 0 && is_asm(&from[at]) && begins_statement(tokens.last()) {
            // The carry flag goes on to the next statement, unless this one is the whole body of another.
            let alone = !tokens.last().is_some_and(ends_statement);
            let mut run = Vec::new();
            let mut end = at;
            while let Some(statement) = statement::read(&from[end..]) {
                end += statement.length;
                run.push(statement);
                if alone || !is_asm(&from[end]) {
                    break;
                }
            }
            if !run.is_empty() {
                writer::write(&run, &from[at], &mut tokens, sink);
                at = end;
                continue;
            }
        }
        match &*from[at].text {
            "{" if from[at].kind == TokenKind::Punct => depth += 1,
            "}" if from[at].kind == TokenKind::Punct => depth -= 1,
            _ => {}
        }
        tokens.push(from[at].clone());
        at += 1;
    }
    TokenStream { tokens }
}

fn is_asm(token: &Token) -> bool {
    token.kind == TokenKind::Ident && matches!(&*token.text, "asm" | "__asm" | "__asm__")
}

fn ends_statement(before: &Token) -> bool {
    before.kind == TokenKind::Pragma
        || before.kind == TokenKind::Punct && matches!(&*before.text, ";" | "{" | "}")
}

fn begins_statement(before: Option<&Token>) -> bool {
    let Some(before) = before else { return false };
    ends_statement(before)
        || match before.kind {
            TokenKind::Punct => matches!(&*before.text, ")" | ":"),
            TokenKind::Ident => matches!(&*before.text, "else" | "do"),
            _ => false,
        }
}
