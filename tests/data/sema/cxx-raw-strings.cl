// options: -cl-std=CLC++2021
// target: lavapipe
constant char a[] = R"a b(x)a b"; //~ 24 error: invalid character ' ' in raw string delimiter; use PREFIX( )PREFIX to delimit raw string
constant char b[] = R"aaaaaaaaaaaaaaaaaaaa(x)a"; //~ 39 error: raw string delimiter longer than 16 characters; use PREFIX( )PREFIX to delimit raw string
static_assert(false, R"(a "message")"); //~ 15 error: static assertion failed: a "message"
