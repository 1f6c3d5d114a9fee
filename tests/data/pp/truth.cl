// test: pp
// expect: 1 0
true false
#if !true || false
bad
#endif
