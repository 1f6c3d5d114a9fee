// options: -cl-std=CL1.2

// Lanes as colours came with OpenCL C 3.0.
void lanes(float4 v) {
    v.xyzw = v.wzyx;
    v.rg = v.xy; //~ 7 warning: vector component name 'rg' is a feature of OpenCL C 3.0
    v.xg = v.xy; //~ 7 error: illegal vector component name 'g'
    bool b = true;
    b = false;
}
