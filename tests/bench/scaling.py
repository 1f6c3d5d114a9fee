#!/usr/bin/env python3
"""How compile time and memory grow with sources of many kinds, as a Markdown table.

    scaling.py CALDERA [--family PART]... [--sizes 4] [--scale 1] [--target nvidia] [--limit SECONDS] [--write FOLDER]

CALDERA is the command, of a release build. Each family of sources below is compiled at n, 2n, 4n and 8n; figures are
processor time and memory, each of them less what the smallest program takes, and the exponent of the last
doubling: 1 is linear. Families whose name ends with `.spv` are SPIR-V and need spirv-as. `--write` only writes the sources.
"""

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile

K = "kernel void k(global int *o) {\n"


def lines(form, n, start=0, sep="\n"):
    """`form` for each number: I is the number, J the one before."""
    return sep.join(form.replace("@J", str(i - 1)).replace("@I", str(i)) for i in range(start, n))


def kernel(body):
    return K + body + "\n}\n"


def chain_of_calls(n):
    return "int f0(int x) { return x; }\n" + lines("int f@I(int x) { return f@J(x + @I) ^ o@I; }".replace("^ o@I", "^ @I"), n, 1) \
        + kernel(f"o[0] = f{n - 1}(o[1]);")


def spirv(body, before="", head=""):
    return f"""OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability Int64
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
{head}
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%ptr = OpTypePointer CrossWorkgroup %uint
%fptr = OpTypePointer Function %uint
%fn = OpTypeFunction %void %ptr
%ufn = OpTypeFunction %uint %uint
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%true = OpConstantTrue %bool
{before}
%k = OpFunction %void None %fn
%out = OpFunctionParameter %ptr
%entry = OpLabel
%v0 = OpLoad %uint %out Aligned 4
{body}
OpReturn
OpFunctionEnd
"""


def spirv_function(i, body):
    return f"""%f{i} = OpFunction %uint None %ufn
%a{i} = OpFunctionParameter %uint
%e{i} = OpLabel
{body}
OpFunctionEnd"""


def pairs(n):
    """Numbers 1 to n - 1 with the one before."""
    return ((i, i - 1) for i in range(1, n))


# name: (n, source)
FAMILIES = {
    # Functions and kernels.
    "chain of calls": (500, chain_of_calls),
    "functions": (500, lambda n: lines("int f@I(int x) { return x * @I; }", n) + kernel("o[0] = " + lines("f@I(@I)", n, sep=" + ") + ";")),
    "functions not called": (1000, lambda n: lines("int f@I(int x) { return x * @I; }", n) + kernel("")),
    "large functions not inlined": (50, lambda n: lines("__attribute__((noinline)) int f@I(int x) { for (int i = 0; i < x; i++) x += i * @I; return x; }", n)
                                    + kernel("o[0] = " + lines("f@I(o[@I])", n, sep=" + ") + ";")),
    "calls of one function": (1000, lambda n: "int f(int x) { return x * x + 1; }" + kernel(lines("o[@I] = f(o[@I + 1]);", n))),
    "kernels": (250, lambda n: lines("kernel void k@I(global int *o) { o[get_global_id(0)] = @I; }", n)),
    "kernels that call one function": (100, lambda n: "int f(int x) { for (int i = 0; i < x; i++) x ^= i; return x; }\n"
                                       + lines("kernel void k@I(global int *o) { o[get_global_id(0)] = f(o[@I]); }", n)),
    "overloads": (250, lambda n: lines("struct s@I { int x; }; int __attribute__((overloadable)) f(struct s@I *s) { return s->x; }", n)
                  + kernel(lines("{ struct s@I s = {o[@I]}; o[@I] = f(&s); }", n))),
    "parameters": (200, lambda n: "int f(" + lines("int a@I", n, sep=", ") + ") { return " + lines("a@I", n, sep=" ^ ") + "; }"
                   + kernel("o[0] = f(" + lines("o[@I]", n, sep=", ") + ");")),
    "parameters of a kernel": (50, lambda n: "kernel void k(" + lines("global int *a@I", n, sep=", ") + ") {" + lines("a@I[0] = @I;", n) + "}"),
    "prototypes": (1000, lambda n: lines("int f@I(int x, float y);", n) + kernel("")),
    "builtin functions": (250, lambda n: kernel("float4 v = (float4)(o[0]);" + lines("v += sin(v) * @I;", n) + "o[0] = (int)(v.x + v.y + v.z + v.w);")),
    # Declarations.
    "typedefs": (2000, lambda n: "typedef int t0;\n" + lines("typedef t@J t@I;", n, 1) + kernel(f"t{n - 1} x = 1; o[0] = x;")),
    "typedefs of arrays": (500, lambda n: "typedef int t0[1];\n" + lines("typedef t@J t@I[1];", n, 1) + kernel(f"o[0] = sizeof(t{n - 1});")),
    "fields": (1000, lambda n: "struct s {" + lines("int m@I;", n) + "};" + "kernel void k(global struct s *s) {" + lines("s->m@I += @I;", n) + "}"),
    "fields of a local": (250, lambda n: "struct s {" + lines("int m@I;", n) + "};" + kernel("struct s s;" + lines("s.m@I = o[@I];", n) + lines("o[@I] = s.m@I + 1;", n))),
    "structs": (1000, lambda n: lines("struct s@I { int a; float b; };", n) + kernel(lines("{ struct s@I s = {o[@I]}; o[@I] = s.a + 1; }", n))),
    "structs in structs": (500, lambda n: "struct s0 { int x; };\n" + lines("struct s@I { struct s@J a; int b; };", n, 1)
                           + f"kernel void k(global struct s{n - 1} *s) {{ struct s{n - 1} t = s[0]; s[1] = t; }}"),
    "anonymous structs": (250, lambda n: "struct s {" + lines("struct { int a@I; union { int b@I; float c@I; }; };", n)
                          + "}; kernel void k(global struct s *s) {" + lines("s->b@I = s->a@I;", n) + "}"),
    "enumerators": (1000, lambda n: "enum e {" + lines("e@I", n, sep=", ") + "};" + kernel("o[0] = " + lines("e@I", n, sep=" ^ ") + ";")),
    "globals": (1000, lambda n: lines("global int g@I = @I;", n) + kernel(lines("g@I += o[@I];", n))),
    "constant tables": (500, lambda n: lines("constant int c@I[4] = {@I, 1, 2, 3};", n) + kernel(lines("o[@I] = c@I[o[@I] & 3];", n))),
    "pointers to variables": (1000, lambda n: "constant int c0 = 1;" + lines("constant int c@I = @I; constant int *constant p@I = &c@I;", n, 1)
                              + kernel(lines("o[@I] = *p@I;", n, 1))),
    "table of pointers": (2000, lambda n: "constant int c[2] = {1, 2}; constant int *constant p[] = {" + lines("c + @I % 2", n, sep=", ") + "};"
                          + "constant int q = 0;" + kernel("o[0] = *p[o[1]] + *p[5];")),
    "locals": (1000, lambda n: kernel(lines("int x@I = o[@I];", n) + lines("o[@I] = x@I + 1;", n))),
    "locals in one declaration": (1000, lambda n: kernel("int " + lines("x@I = o[@I]", n, sep=", ") + ";" + lines("o[@I] = x@I + 1;", n))),
    "local memory": (250, lambda n: kernel(lines("local int x@I[4];", n) + lines("x@I[o[@I]] = @I;", n) + "barrier(CLK_LOCAL_MEM_FENCE);" + lines("o[@I] = x@I[1];", n))),
    "private arrays": (125, lambda n: kernel(lines("int x@I[4] = {@I, 2}; x@I[o[@I] & 3] = 5;", n) + lines("o[@I] = x@I[o[5] & 3];", n))),
    "scopes with one name": (1000, lambda n: kernel(lines("{ int x = o[@I]; { int x = @I; o[x] = x; } o[@I] = x; }", n))),
    "names that hide": (30, lambda n: kernel("int x = o[0];" + "{ int x = o[1]; o[2] += x;" * n + "}" * n)),
    # Statements.
    "statements": (2500, lambda n: kernel(lines("o[@I] = @I;", n))),
    "statements on one variable": (2500, lambda n: kernel("int x = o[0];" + lines("x = x * @I + 1;", n) + "o[0] = x;")),
    "statements on one line": (2500, lambda n: kernel(lines("o[@I] = @I;", n, sep=" "))),
    "loads of one place": (1000, lambda n: kernel("int x = 0;" + lines("x += o[0] * @I; o[@I + 1] = x;", n))),
    "cases": (1000, lambda n: kernel("switch (o[0]) {" + lines("case @I: o[@I] = @I * 3 + 1; break;", n) + "default: o[1] = 7; }")),
    "cases that fall through": (250, lambda n: kernel("switch (o[0]) {" + lines("case @I: o[@I] += 1;", n) + "}")),
    "cases without statements": (1000, lambda n: kernel("switch (o[0]) {" + lines("case @I:", n) + "o[1] = 5; }")),
    "switches": (250, lambda n: kernel(lines("switch (o[@I]) { case 1: o[@I] = 5; break; case 2: o[@I] = 6; default: o[1] = @I; }", n))),
    "ifs": (1000, lambda n: kernel(lines("if (o[@I]) o[@I] = 1; else o[@I + 1] = 3;", n))),
    "ifs that assign": (500, lambda n: kernel("int x = 0;" + lines("if (o[@I]) x += @I;", n) + "o[0] = x;")),
    "ifs that return": (250, lambda n: kernel(lines("if (o[@I] == @I) return; o[@I] = 1;", n))),
    "ifs that return values": (250, lambda n: "int f(global int *o) {" + lines("if (o[@I] == @I) return @I;", n) + "return 1; }" + kernel("o[0] = f(o); o[1] = f(o + 9);")),
    "else ifs": (250, lambda n: kernel(lines("if (o[@I] == 5) o[@I] = 1; else", n) + " o[0] = 2;")),
    "else ifs that assign": (250, lambda n: kernel("int x = o[0], y;" + lines("if (x == @I) y = @I * 7; else", n) + " y = 5; o[1] = y;")),
    "loops": (250, lambda n: kernel(lines("for (int i = 0; i < o[@I]; i++) o[i] += @I;", n))),
    "loops of known length": (125, lambda n: kernel(lines("for (int i = 0; i < 4; i++) o[i + @I] += i;", n))),
    "continues": (125, lambda n: kernel("for (int i = 0; i < o[0]; i++) {" + lines("if (o[i + @I] == 3) continue; o[i] += @I;", n) + "}")),
    "breaks": (125, lambda n: kernel("for (int i = 0; i < o[0]; i++) {" + lines("if (o[i + @I] == 3) break; o[i] += @I;", n) + "}")),
    "labels": (125, lambda n: kernel(lines("l@I: o[@I] += 1; if (o[@I] < 5) goto l@I;", n))),
    "labels far away": (60, lambda n: kernel(lines("if (o[@I]) goto l@I;", n) + lines("l@I: o[@I] += 1;", n))),
    "labels without order": (60, lambda n: kernel("goto l1;" + lines("l@I: o[@I] += 1; if (o[@I] == 3) goto l%d;" % 2, n) + "")),
    "barriers": (500, lambda n: kernel("local int x[9];" + lines("x[o[@I] & 7] = @I; barrier(CLK_LOCAL_MEM_FENCE);", n) + "o[0] = x[3];")),
    "atomics": (500, lambda n: kernel(lines("atomic_add(o + @I, 3);", n))),
    "printf": (250, lambda n: kernel(lines('printf("number @I: %d %s\\n", o[@I], "s@I");', n))),
    "nested blocks": (30, lambda n: kernel("{" * n + "o[0] = 1;" + "}" * n)),
    "nested ifs": (30, lambda n: kernel(lines("if (o[@I]) {", n) + "o[0] = 1;" + "}" * n)),
    "nested ifs that assign": (15, lambda n: kernel("int x = 0;" + lines("if (o[@I]) { x += @I;", n) + "o[0] = x;" + "x++; }" * n + "o[1] = x;")),
    "nested loops": (8, lambda n: kernel(lines("for (int i@I = 0; i@I < o[@I]; i@I++) {", n) + "o[0] += 1;" + "}" * n)),
    # Expressions.
    "sum": (1000, lambda n: kernel("o[0] = " + lines("o[@I]", n, sep=" + ") + ";")),
    "sum of constants": (1000, lambda n: kernel("o[0] = " + lines("@I", n, sep=" + ") + ";")),
    "constant of a long sum": (1000, lambda n: "constant int c = " + lines("@I", n, sep=" + ") + ";" + kernel("o[0] = c;")),
    "sum from the right": (30, lambda n: kernel("o[0] = " + lines("(o[@I] +", n) + "1" + ")" * n + ";")),
    "ands": (250, lambda n: kernel("o[0] = " + lines("o[@I] == @I", n, sep=" && ") + ";")),
    "ors": (250, lambda n: kernel("if (" + lines("o[@I] == @I", n, sep=" || ") + ") o[0] = 1;")),
    "ands of constants": (1000, lambda n: kernel("o[0] = " + lines("@I", n, 1, sep=" && ") + ";")),
    "conditionals": (125, lambda n: kernel("o[0] = " + lines("o[@I] ? @I :", n) + " 5;")),
    "commas": (1000, lambda n: kernel("o[0] = (" + lines("o[@I]++", n, sep=", ") + ");")),
    "assignments in a chain": (250, lambda n: kernel(lines("o[@I] =", n) + " 5;")),
    "brackets": (30, lambda n: kernel("o[0] = " + "(" * n + "o[1]" + ")" * n + ";")),
    "signs": (250, lambda n: kernel("o[0] = " + "- " * n + "o[1];")),
    "casts": (60, lambda n: kernel("o[0] = " + "(int)(short)" * n + "o[1];")),
    "subscripts": (30, lambda n: kernel("o[0] = " + "o[" * n + "1" + "]" * n + ";")),
    "members in a chain": (30, lambda n: "struct s0 { int x; };\n" + lines("struct s@I { struct s@J a; };", n, 1)
                           + f"kernel void k(global struct s{n - 1} *s) {{ s->" + "a." * (n - 2) + "a.x = 1; }"),
    "calls in calls": (30, lambda n: "int f(int x) { return x + 1; }" + kernel("o[0] = " + "f(" * n + "o[1]" + ")" * n + ";")),
    "builtins in builtins": (30, lambda n: "" + kernel("o[0] = " + "abs(" * n + "o[1]" + ")" * n + ";")),
    "vector literals": (500, lambda n: kernel("int4 v = 0;" + lines("v += (int4)(o[@I], @I, 1, o[@I + 1]);", n) + "o[0] = v.x;")),
    "swizzles": (500, lambda n: kernel("int4 v = o[0];" + lines("v.xy = v.zw + @I; v.zw = v.yx;", n) + "o[0] = v.x + v.y + v.z;")),
    "wide vectors": (60, lambda n: kernel("float16 v = o[0];" + lines("v = v * v.s0123456789abcdef + @I.0f;", n) + "vstore16(v, 0, (global float *)o);")),
    "strings": (1000, lambda n: lines('constant char s@I[] = "string @I";', n) + kernel(lines("o[@I] = s@I[o[@I] & 7];", n))),
    "strings side by side": (5000, lambda n: "constant char s[] = " + lines('"string @I"', n) + ";" + kernel("o[0] = s[o[1]];")),
    "long string": (100000, lambda n: 'constant char s[] = "' + "x" * n + '";' + kernel("o[0] = s[o[1]];")),
    "numbers": (5000, lambda n: "constant int c[] = {" + lines("@I", n, sep=", ") + "};" + kernel("o[0] = c[o[1]];")),
    "numbers of a local": (2500, lambda n: kernel("int c[] = {" + lines("@I", n, sep=", ") + "}; o[0] = c[o[1]];")),
    "values of a local": (250, lambda n: kernel("int c[] = {" + lines("o[@I]", n, sep=", ") + "}; o[0] = c[o[1]];")),
    "designators": (2500, lambda n: "constant int c[] = {" + lines("[@I] = @I", n, sep=", ") + "};" + kernel("o[0] = c[o[1]];")),
    "designators backwards": (2500, lambda n: "constant int c[] = {" + ", ".join(f"[{i}] = {i}" for i in reversed(range(n))) + "};" + kernel("o[0] = c[o[1]];")),
    "designated fields": (500, lambda n: "struct s {" + lines("int m@I;", n) + "}; constant struct s c = {" + lines(".m@I = @I", n, sep=", ") + "};" + kernel("o[0] = c.m5 + o[1];")),
    "braces": (2500, lambda n: "constant int c[][2] = {" + lines("{@I, 1}", n, sep=", ") + "};" + kernel("o[0] = c[o[1]][0];")),
    "compound literals": (250, lambda n: "struct s { int a, b; }; int f(struct s *s) { return s->a; }" + kernel(lines("o[@I] = f(&(struct s){o[@I], 2});", n))),
    "struct copies": (125, lambda n: "struct s { int a[8]; };" + "kernel void k(global struct s *o) {" + lines("struct s s@I = o[@I];", n) + lines("o[@I] = s@I;", n) + "}"),
    "struct copies in a chain": (125, lambda n: "struct s { int a[8]; };" + "kernel void k(global struct s *o) { struct s s0 = o[0];"
                                 + lines("struct s s@I = s@J; s@I.a[3] += @I;", n, 1) + f"o[1] = s{n - 1}; }}"),
    "struct copies backwards": (125, lambda n: "struct s { int a[8]; };" + "kernel void k(global struct s *o) {" + lines("struct s s@I;", n) + "for (int i = 0; i < o[0].a[0]; i++) {"
                                + "".join(f"s{i} = s{i - 1};" for i in reversed(range(1, n))) + f"s0.a[1] = i; }} o[1] = s{n - 1}; }}"),
    # Preprocessor.
    "macros": (1000, lambda n: lines("#define M@I @I", n) + "\n" + kernel("o[0] = " + lines("M@I", n, sep=" ^ ") + ";")),
    "macros not used": (5000, lambda n: lines("#define M@I(x) (x + @I)", n) + "\n" + kernel("")),
    "macros in a chain": (1000, lambda n: "#define M0 1\n" + lines("#define M@I M@J", n, 1) + "\n" + kernel(f"o[0] = M{n - 1};")),
    "macros with arguments in a chain": (125, lambda n: "#define M0(x) x\n" + lines("#define M@I(x) M@J(x)", n, 1) + "\n" + kernel(f"o[0] = M{n - 1}(o[1]);")),
    "arguments of a macro": (1000, lambda n: "#define M(...) f(__VA_ARGS__)\n#define f(...) (__VA_ARGS__)\n" + kernel("o[0] = M(" + lines("@I", n, sep=", ") + ");")),
    "macro in a macro's argument": (30, lambda n: "#define M(x) (x)\n" + kernel("o[0] = " + "M(" * n + "1" + ")" * n + ";")),
    "uses of a macro": (2500, lambda n: "#define M(a, b) ((a) * (b) + (a))\n" + kernel(lines("o[@I] = M(o[@I], @I);", n))),
    "long expansion": (1000, lambda n: "#define A o[0] += 1; o[1] += 2;\n#define B A A A A\n" + kernel(lines("B", n // 4))),
    "pastes": (1000, lambda n: "#define P(a, b) a##b\n" + kernel(lines("int P(x, @I) = o[@I]; o[@I] = x@I + 1;", n))),
    "paste in a chain": (250, lambda n: "#define P " + lines("x@I", n, sep=" ## ") + "\n" + kernel("int P = 5;")),
    "conditions": (2500, lambda n: lines("#if @I > 5 && defined(X)\n#elif @I\n#else\n#endif", n) + "\n" + kernel("")),
    "nested conditions": (60, lambda n: "#if 1\n" * n + kernel("") + "#endif\n" * n),
    "elifs": (2500, lambda n: "#if 0\n" + lines("#elif 0 * @I", n) + "\n#endif\n" + kernel("")),
    "skipped text": (10000, lambda n: "#if 0\n" + lines("int x@I = \"@I\";", n) + "\n#endif\n" + kernel("")),
    "comments": (10000, lambda n: lines("/* comment @I */ // more", n) + "\n" + kernel("")),
    "long comment": (500000, lambda n: "/*" + "x" * n + "*/\n" + kernel("")),
    "long line comment": (250000, lambda n: "//" + "\\\n" * n + "\n" + kernel("")),
    "spliced lines": (1000, lambda n: kernel("o[0] = 0" + lines("\\\n + @I", n) + ";")),
    "long name": (250000, lambda n: kernel("int " + "x" * n + " = 1;")),
    "blank lines": (100000, lambda n: "\n" * n + kernel("")),
    "#line": (2500, lambda n: lines("#line @I5", n, 1) + "\n" + kernel("")),
    "pragmas": (1000, lambda n: kernel(lines("#pragma OPENCL FP_CONTRACT OFF", 1) + "\n" + lines("{\n#pragma OPENCL FP_CONTRACT ON\no[@I] = 1; }", n))),
    "attributes": (500, lambda n: kernel(lines("int x@I __attribute__((aligned(16), unused)) = o[@I]; o[@I] = x@I + 1;", n))),
    # Diagnostics.
    "errors": (1000, lambda n: kernel(lines("o[@I] = y@I;", n))),
    "errors in functions": (1000, lambda n: lines("int f@I(void) { return y@I; }", n) + kernel("")),
    "errors on one line": (1000, lambda n: kernel(lines("o[@I] = y@I;", n, sep=" "))),
    "syntax errors": (1000, lambda n: lines("int f@I(void) { return ]; }", n) + kernel("")),
    "syntax errors in one function": (1000, lambda n: kernel(lines("o[@I] = ];", n))),
    "warnings": (500, lambda n: kernel(lines("int x@I = 1.5f; o[@I] = 1 / 0;", n))),
    "warnings on one line": (500, lambda n: kernel(lines("o[@I] = 1 / 0;", n, sep=" "))),
    "#warning": (1000, lambda n: lines("#warning text @I", n) + "\n" + kernel("")),
    "misspelt names": (250, lambda n: lines("int function_number_@I(int);", n) + kernel(lines("o[@I] = functoin_number_@I(1);", n))),
    # SPIR-V.
    "functions.spv": (500, lambda n: spirv("\n".join(f"%r{i} = OpFunctionCall %uint %f{i} %v0\nOpStore %out %r{i} Aligned 4" for i in range(n)))
                      + "\n".join(spirv_function(i, f"%b{i} = OpIAdd %uint %a{i} %u1\nOpReturnValue %b{i}") for i in range(n))),
    "chain of calls.spv": (500, lambda n: spirv(f"%r = OpFunctionCall %uint %f{n - 1} %v0\nOpStore %out %r Aligned 4")
                           + spirv_function(0, "OpReturnValue %a0") + "\n"
                           + "\n".join(spirv_function(i, f"%b{i} = OpFunctionCall %uint %f{j} %a{i}\nOpReturnValue %b{i}") for i, j in pairs(n))),
    "kernels.spv": (250, lambda n: spirv("", head="\n".join(f'OpEntryPoint Kernel %k{i} "k{i}"\n%s{i} = OpString "kernel_arg_type.k{i}.uint*,"' for i in range(n)))
                    + "\n".join(f"%k{i} = OpFunction %void None %fn\n%o{i} = OpFunctionParameter %ptr\n%e{i} = OpLabel\nOpStore %o{i} %u1 Aligned 4\nOpReturn\nOpFunctionEnd" for i in range(n))),
    "instructions.spv": (2500, lambda n: spirv("\n".join(f"%v{i} = OpIAdd %uint %v{j} %u1" for i, j in pairs(n)) + f"\nOpStore %out %v{n - 1} Aligned 4")),
    "stores.spv": (1000, lambda n: spirv("\n".join(f"%p{i} = OpInBoundsPtrAccessChain %ptr %out %c{i}\nOpStore %p{i} %u1 Aligned 4" for i in range(n)),
                                         "\n".join(f"%c{i} = OpConstant %ulong {i}" for i in range(n)))),
    "blocks.spv": (1000, lambda n: spirv("\n".join(f"OpBranch %l{i}\n%l{i} = OpLabel\n%v{i} = OpIAdd %uint %v{j} %u1" for i, j in pairs(n)) + f"\nOpStore %out %v{n - 1} Aligned 4")),
    "branches.spv": (250, lambda n: spirv("\n".join(f"%c{i} = OpUGreaterThan %bool %v{j} %u1\nOpBranchConditional %c{i} %y{i} %l{i}\n%y{i} = OpLabel\nOpStore %out %v{j} Aligned 4\nOpBranch %l{i}\n"
                                                  f"%l{i} = OpLabel\n%v{i} = OpIAdd %uint %v{j} %u1" for i, j in pairs(n)))),
    "phis.spv": (250, lambda n: spirv("\n".join(f"%c{i} = OpUGreaterThan %bool %v{j} %u1\nOpBranchConditional %c{i} %y{i} %n{i}\n%y{i} = OpLabel\nOpBranch %l{i}\n%n{i} = OpLabel\nOpBranch %l{i}\n"
                                              f"%l{i} = OpLabel\n%v{i} = OpPhi %uint %v{j} %y{i} %u1 %n{i}" for i, j in pairs(n)) + f"\nOpStore %out %v{n - 1} Aligned 4")),
    "phis of one block.spv": (250, lambda n: spirv("OpBranchConditional %true %a %b\n%a = OpLabel\nOpBranch %c\n%b = OpLabel\nOpBranch %c\n%c = OpLabel\n"
                                                   + "\n".join(f"%w{i} = OpPhi %uint %v0 %a %u1 %b" for i in range(n)) + "\n"
                                                   + "\n".join(f"OpStore %out %w{i} Aligned 4" for i in range(n)))),
    "cases.spv": (250, lambda n: spirv("OpSwitch %v0 %end " + " ".join(f"{i} %l{i}" for i in range(n)) + "\n"
                                       + "\n".join(f"%l{i} = OpLabel\nOpStore %out %v0 Aligned 4\nOpBranch %end" for i in range(n)) + "\n%end = OpLabel")),
    "loops.spv": (125, lambda n: spirv("\n".join(f"OpBranch %h{i}\n%h{i} = OpLabel\n%v{i} = OpPhi %uint %v{j} %{'entry' if i == 1 else f'x{j}'} %w{i} %b{i}\n%c{i} = OpUGreaterThan %bool %v{i} %u1\n"
                                               f"OpBranchConditional %c{i} %b{i} %x{i}\n%b{i} = OpLabel\n%w{i} = OpUDiv %uint %v{i} %u3\nOpBranch %h{i}\n%x{i} = OpLabel" for i, j in pairs(n))
                                     + f"\nOpStore %out %v{n - 1} Aligned 4", "%u3 = OpConstant %uint 3")),
    "loops in a loop.spv": (125, lambda n: spirv("OpBranch %hh\n%hh = OpLabel\n%vv = OpPhi %uint %v0 %entry %ww %xx\nOpBranch %h1\n"
                                                 + "\n".join(f"%h{i} = OpLabel\n%v{i} = OpPhi %uint %{'vv' if i == 1 else f'v{j}'} %{'hh' if i == 1 else f'b{j}'} %w{i} %g{i}\n%c{i} = OpUGreaterThan %bool %v{i} %u1\n"
                                                           f"OpBranchConditional %c{i} %g{i} %b{i}\n%g{i} = OpLabel\n%w{i} = OpUDiv %uint %v{i} %u3\nOpBranch %h{i}\n%b{i} = OpLabel\nOpBranch %{f'h{i + 1}' if i + 1 < n else 'xx'}"
                                                           for i, j in pairs(n))
                                                 + f"\n%xx = OpLabel\n%ww = OpUDiv %uint %v{n - 1} %u3\nOpBranchConditional %true %hh %done\n%done = OpLabel\nOpStore %out %ww Aligned 4", "%u3 = OpConstant %uint 3")),
    "breaks.spv": (125, lambda n: spirv("OpBranch %h\n%h = OpLabel\n%i0 = OpPhi %uint %v0 %entry %i" + str(n - 1) + f" %b{n - 1}\nOpBranch %b0\n%b0 = OpLabel\n"
                                        + "\n".join(f"%i{i} = OpUDiv %uint %i{j} %u3\n%c{i} = OpUGreaterThan %bool %i{i} %u1\nOpBranchConditional %c{i} %b{i} %x{i}\n%x{i} = OpLabel\nOpStore %out %i{i} Aligned 4\nOpBranch %done\n%b{i} = OpLabel" for i, j in pairs(n))
                                        + "\nOpBranch %h\n%done = OpLabel", "%u3 = OpConstant %uint 3")),
    "jumps far forward.spv": (60, lambda n: spirv("\n".join(f"%c{i} = OpULessThan %bool %v0 %n{i}\nOpBranchConditional %c{i} %m{i} %l{i}\n%l{i} = OpLabel" for i in range(n)) + "\nOpBranch %m0\n"
                                                  + "\n".join(f"%m{i} = OpLabel\nOpStore %out %n{i} Aligned 4\nOpBranch %{f'm{i + 1}' if i + 1 < n else 'done'}" for i in range(n)) + "\n%done = OpLabel",
                                                  "\n".join(f"%n{i} = OpConstant %uint {i}" for i in range(n)))),
    "nested branches.spv": (30, lambda n: spirv("\n".join(f"%c{i} = OpULessThan %bool %v0 %n{i}\nOpBranchConditional %c{i} %l{i} %m{i}\n%l{i} = OpLabel" for i in range(n)) + f"\nOpBranch %m{n - 1}\n"
                                                + "\n".join(f"%m{i} = OpLabel\nOpStore %out %n{i} Aligned 4\nOpBranch %{f'm{i - 1}' if i else 'done'}" for i in reversed(range(n))) + "\n%done = OpLabel",
                                                "\n".join(f"%n{i} = OpConstant %uint {i}" for i in range(n)))),
    "operands of a phi.spv": (125, lambda n: spirv("OpSwitch %v0 %d " + " ".join(f"{i} %l{i}" for i in range(n)) + "\n%d = OpLabel\nOpBranch %end\n"
                                                   + "\n".join(f"%l{i} = OpLabel\n%w{i} = OpIAdd %uint %v0 %n{i}\nOpBranch %end" for i in range(n))
                                                   + "\n%end = OpLabel\n%p = OpPhi %uint %v0 %d " + " ".join(f"%w{i} %l{i}" for i in range(n)) + "\nOpStore %out %p Aligned 4",
                                                   "\n".join(f"%n{i} = OpConstant %uint {i}" for i in range(n)))),
    "loops entered twice.spv": (60, lambda n: spirv("\n".join(f"%c{i} = OpULessThan %bool %v0 %n{i}\nOpBranchConditional %c{i} %a{i} %b{i}\n%a{i} = OpLabel\nOpStore %out %n{i} Aligned 4\nOpBranch %b{i}\n"
                                                              f"%b{i} = OpLabel\n%x{i} = OpLoad %uint %out Aligned 4\n%d{i} = OpULessThan %bool %x{i} %n{i}\nOpBranchConditional %d{i} %a{i} %l{i}\n%l{i} = OpLabel" for i in range(n)),
                                                    "\n".join(f"%n{i} = OpConstant %uint {i}" for i in range(n)))),
    "constants.spv": (2500, lambda n: spirv("", "\n".join(f"%c{i} = OpConstant %ulong {i}" for i in range(n)))),
    "composite constant.spv": (2500, lambda n: spirv("", "\n".join(f"%c{i} = OpConstant %uint {i}" for i in range(n)) + f"\n%len = OpConstant %uint {n}\n%arr = OpTypeArray %uint %len\n"
                                                     "%parr = OpTypePointer UniformConstant %arr\n%all = OpConstantComposite %arr " + " ".join(f"%c{i}" for i in range(n))
                                                     + "\n%table = OpVariable %parr UniformConstant %all")),
    "uses of a composite.spv": (250, lambda n: spirv("\n".join(f"%x{i} = OpCompositeExtract %uint %all 1\nOpStore %out %x{i} Aligned 4" for i in range(n)),
                                                     "%u64 = OpConstant %uint 64\n%arr = OpTypeArray %uint %u64\n%all = OpConstantComposite %arr " + "%u1 " * 64)),
    "variables.spv": (500, lambda n: spirv("\n".join(f"OpStore %g{i} %v0 Aligned 4" for i in range(n)), "\n".join(f"%g{i} = OpVariable %ptr CrossWorkgroup %u1" for i in range(n)))),
    "locals.spv": (500, lambda n: spirv("\n".join(f"%x{i} = OpVariable %fptr Function" for i in range(n)) + "\n"
                                        + "\n".join(f"OpStore %x{i} %v0\n%y{i} = OpLoad %uint %x{i}\nOpStore %out %y{i} Aligned 4" for i in range(n)))
                   .replace("%v0 = OpLoad %uint %out Aligned 4", "").replace("OpStore %x0 %v0", "%v0 = OpLoad %uint %out Aligned 4\nOpStore %x0 %v0")),
    "names.spv": (2500, lambda n: spirv("", "\n".join(f"%c{i} = OpConstant %uint {i}" for i in range(n)), "\n".join(f'OpName %c{i} "name {i}"' for i in range(n)))),
    "decorations.spv": (1000, lambda n: spirv("\n".join(f"%v{i} = OpIAdd %uint %v{j} %u1" for i, j in pairs(n)) + f"\nOpStore %out %v{n - 1} Aligned 4", "",
                                              "\n".join(f"OpDecorate %v{i} NoSignedWrap" for i in range(1, n)))),
    "decorations of one id.spv": (1000, lambda n: spirv("%w = OpIAdd %uint %v0 %u1\n" + "\n".join("OpStore %out %w Aligned 4" for i in range(n)), "", "OpDecorate %w NoSignedWrap\n" * n)),
    "specialization constants.spv": (1000, lambda n: spirv("\n".join(f"OpStore %out %c{i} Aligned 4" for i in range(n)), "\n".join(f"%c{i} = OpSpecConstant %uint {i}" for i in range(n)),
                                                           "\n".join(f"OpDecorate %c{i} SpecId {i}" for i in range(n)))),
    "types.spv": (1000, lambda n: spirv("", "%s0 = OpTypeStruct %uint\n" + "\n".join(f"%s{i} = OpTypeStruct %uint %t{i}\n".replace(f"%t{i}", f"%s{j}" if i % 200 else "%ulong") for i, j in pairs(n)))),
    "builtins.spv": (250, lambda n: spirv("\n".join(f"%x{i} = OpExtInst %uint %std s_max %v0 %c{i}\nOpStore %out %x{i} Aligned 4" for i in range(n)),
                                          "\n".join(f"%c{i} = OpConstant %uint {i}" for i in range(n))).replace("OpMemoryModel", '%std = OpExtInstImport "OpenCL.std"\nOpMemoryModel', 1)),
}

EMPTY = {"cl": kernel(""), "spv": spirv("")}


def source(name, n):
    """Ending and text."""
    return ("spv" if name.endswith(".spv") else "cl"), FAMILIES[name][1](n)


def write(folder, name, ending, text):
    path = os.path.join(folder, name.replace(" ", "-").replace("#", "").removesuffix(".spv") + "." + ending)
    if ending == "cl":
        with open(path, "w") as file:
            file.write(text)
    else:
        subprocess.run(["spirv-as", "--target-env", "spv1.4", "-", "-o", path], input=text, text=True, check=True)
    return path


def measure(command, path, limit, target):
    """Processor seconds, the least of some runs, bytes and exit status; None where the limit is exceeded."""
    best = None
    rounds = 3
    while rounds > 0:
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            os.execvp(command, [command, "compile", "-cl-std=CL3.0", f"--target={target}", path, "-o", os.devnull])
        _, status, usage = os.wait4(child, 0)
        if os.WIFSIGNALED(status):
            return None
        seconds = usage.ru_utime + usage.ru_stime
        if best is None or seconds < best[0]:
            best = (seconds, usage.ru_maxrss << 10, os.WEXITSTATUS(status))
        rounds = 0 if seconds > 2 else rounds - 1
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("caldera")
    parser.add_argument("--family", action="append", default=[], help="part of a name")
    parser.add_argument("--sizes", type=int, default=4, help="how often n is doubled, and once more")
    parser.add_argument("--scale", type=int, default=1, help="for all n")
    parser.add_argument("--target", default="nvidia", help="one that does not limit the nesting of control flow")
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--write", metavar="FOLDER")
    args = parser.parse_args()
    names = [name for name in FAMILIES if not args.family or any(part in name for part in args.family)]
    if args.write:
        for name in names:
            write(args.write, name, *source(name, args.scale * FAMILIES[name][0] << args.sizes - 1))
        return
    print("| family | n | " + " | ".join(f"{1 << i}n, ms" for i in range(args.sizes)) + " | MB | exponent | of memory |")
    print("|---" * (args.sizes + 5) + "|")
    with tempfile.TemporaryDirectory() as folder:
        base = {ending: measure(args.caldera, write(folder, "empty", ending, text), args.limit, args.target) for ending, text in EMPTY.items()}
        for name in names:
            n = args.scale * FAMILIES[name][0]
            results = []
            for i in range(args.sizes):
                ending, text = source(name, n << i)
                path = write(folder, name, ending, text)
                result = measure(args.caldera, path, args.limit, args.target)
                os.remove(path)
                if result is None:
                    break
                zero = base[ending]
                results.append((max(result[0] - zero[0], 0), max(result[1] - zero[1], 0), result[2]))
            shown = [f"{seconds * 1000:.0f}" for seconds, _, _ in results]
            shown += [f"> {args.limit * 1000:.0f}"] * (args.sizes - len(shown))
            growth = ["", ""]
            if len(results) > 1:
                for which, least in ((0, 0.005), (1, 1 << 20)):
                    last, before = results[-1][which], results[-2][which]
                    growth[which] = f"{math.log2(last / before):.1f}" if before > least else "-"
            memory = f"{results[-1][1] / 2**20:.0f}" if results else ""
            failed = "" if all(status == 0 for *_, status in results) else " (errors)"
            print(f"| {name}{failed} | {n} | " + " | ".join(shown) + f" | {memory} | {growth[0]} | {growth[1]} |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
