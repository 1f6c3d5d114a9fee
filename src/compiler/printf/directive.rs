//! Format strings taken apart (OpenCL C 6.15.14.2).

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'f> {
    Text(&'f str),
    Directive(Directive),
}

/// A conversion specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directive {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    pub space: bool,
    /// `#`
    pub alternative: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
    /// 1 without a vector specifier.
    pub lanes: usize,
    pub length: Length,
    /// The conversion specifier.
    pub letter: char,
}

/// The length modifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    None,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `hl`
    Int,
    /// `l`, and `ll`, `z` and `t`, whose types are as wide.
    Long,
}

/// Widths and precisions are cut to this: a format may not ask for gigabytes.
const MAX_FIELD: usize = 1 << 14;

/// The parts of a format in order; what is no conversion specification is text.
pub fn pieces(format: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        if at > 0 {
            pieces.push(Piece::Text(&rest[..at]));
        }
        let from = &rest[at..];
        let (piece, length) = if from.starts_with("%%") {
            (Piece::Text("%"), 2)
        } else {
            match directive(&from[1..]) {
                Some((directive, length)) => (Piece::Directive(directive), 1 + length),
                None => (Piece::Text("%"), 1),
            }
        };
        pieces.push(piece);
        rest = &from[length..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// What follows a `%`, and its bytes.
fn directive(text: &str) -> Option<(Directive, usize)> {
    let mut d = Directive {
        left: false,
        plus: false,
        space: false,
        alternative: false,
        zero: false,
        width: 0,
        precision: None,
        lanes: 1,
        length: Length::None,
        letter: ' ',
    };
    let mut rest = text;
    loop {
        match rest.chars().next()? {
            '-' => d.left = true,
            '+' => d.plus = true,
            ' ' => d.space = true,
            '#' => d.alternative = true,
            '0' => d.zero = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    let number = |rest: &mut &str| {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        *rest = after;
        let cut = |_| MAX_FIELD;
        (!digits.is_empty()).then(|| digits.parse().unwrap_or_else(cut).min(MAX_FIELD))
    };
    d.width = number(&mut rest).unwrap_or(0);
    if let Some(after) = rest.strip_prefix('.') {
        rest = after;
        d.precision = Some(number(&mut rest).unwrap_or(0));
    }
    if let Some(after) = rest.strip_prefix('v') {
        rest = after;
        d.lanes = number(&mut rest).filter(|n| [2, 3, 4, 8, 16].contains(n))?;
    }
    // `ll` is reserved; kernels have it from C.
    const LENGTHS: [(&str, Length); 7] = [
        ("hh", Length::Char),
        ("hl", Length::Int),
        ("h", Length::Short),
        ("ll", Length::Long),
        ("l", Length::Long),
        ("z", Length::Long),
        ("t", Length::Long),
    ];
    for (name, length) in LENGTHS {
        if let Some(after) = rest.strip_prefix(name) {
            rest = after;
            d.length = length;
            break;
        }
    }
    d.letter = rest.chars().next()?;
    let known = "diouxXfFeEgGaAcsp".contains(d.letter);
    known.then_some((d, text.len() - rest.len() + 1))
}
