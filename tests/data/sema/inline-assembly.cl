// PTX that the compiler does not have, and what is none. The last is not of the form of GNU C.
kernel void k(global uint *p) {
    uint r;
    asm("v_add_u32 %0, %1, %2" : "=v"(r) : "v"(1), "v"(2)); //~ 9 error: inline assembly: the instruction 'v_add_u32' is not supported
    asm("bra L;"); //~ 9 error: inline assembly: the instruction 'bra' is not supported
    asm volatile("addc.u32 %0, %0, 1;" : "+r"(r)); //~ 18 error: inline assembly: 'addc' takes the carry flag, which no instruction before it in these statements sets
    asm("add.u32 %0, %3, 1;" : "=r"(r)); //~ 9 error: inline assembly: there is no operand %3
    asm("add.u32 %0, %x1, 1;" : "=r"(r) : "r"(r)); //~ 9 error: inline assembly: '%' is followed by no operand
    asm("add.rz.f32 %0, %1, %1;" : "=f"(*(global float*)p) : "f"(1.f)); //~ 9 error: inline assembly: the instruction 'add.rz.f32' is not supported
    asm("{ add.u32 %0, %1, 1;" : "=r"(r) : "r"(r)); //~ 9 error: inline assembly: a scope is not closed
    asm("ld.u32 %0, [%1];" : "=r"(r) : "l"(p)); //~ 9 error: inline assembly: the instruction 'ld.u32' is not supported
    asm("add.u32 %0, q, 1;" : "=r"(r)); //~ 9 error: inline assembly: 'q' is no operand of type uint
    asm("add.f32 %0, %1, 1;" : "=r"(r) : "r"(r)); //~ 9 error: inline assembly: '1' is no operand of type float
    asm("add.u64 %0, %1, 1;" : "=r"(r) : "r"(r)); //~ 9 error: inline assembly: '%1' is no operand of type ulong
    asm("add.u32 %0, %1;" : "=r"(r) : "r"(r)); //~ 9 error: inline assembly: an instruction has too few operands
    ulong wide;
    asm("mul.wide.u64 %0, %1, %1;" : "=l"(wide) : "l"(wide)); //~ 9 error: inline assembly: the instruction 'mul.wide.u64' is not supported
    asm("bfe.b32 %0, %1, 1, 2;" : "=r"(r) : "r"(r)); //~ 9 error: inline assembly: the instruction 'bfe.b32' is not supported
    asm("mad.lo.cc.sat.u32 %0, %1, %1, %1;" : "=r"(r) : "r"(r)); //~ 9 error: inline assembly: the instruction 'mad.lo.cc.sat.u32' is not supported
    asm(r); //~ 5 error: inline assembly is not supported in OpenCL
    if (r) asm("mov.u32 %0, 1;" : "=r"(r)); else asm("mov.u32 %0, 2;" : "=r"(r));
    *p = r;
}
