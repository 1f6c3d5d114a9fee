//! IR text, which also is what a program's binary holds: it is refused or compiles.
#![no_main]

use caldera_compiler::driver::{Object, link};
use caldera_compiler::ir::parse::parse;
use caldera_compiler::options::Options;
use caldera_compiler::target::Target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(module) = std::str::from_utf8(data)
        .map_err(drop)
        .and_then(|t| parse(t).map_err(drop))
    {
        let text = module.to_string();
        let again = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(again.to_string(), text);
    }
    let object = Object {
        bytes: data.to_vec(),
    };
    let target = Target::profile("nvidia").expect("a known profile");
    let log = link(&[&object], &Options::default(), &target).log;
    assert!(!log.contains("internal compiler error"), "{log}");
});
