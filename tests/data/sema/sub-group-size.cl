// target: lavapipe

__attribute__((intel_reqd_sub_group_size(8))) kernel void right(global int *p) {}
__attribute__((intel_reqd_sub_group_size(32))) kernel void larger(global int *p) {} //~ 16 error: attribute 'intel_reqd_sub_group_size' has size 32, of which the device has [8]
__attribute__((intel_reqd_sub_group_size())) kernel void none(global int *p) {} //~ 16 error: 'intel_reqd_sub_group_size' attribute takes one argument
__attribute__((intel_reqd_sub_group_size(8))) void no_kernel(global int *p) {} //~ 52 error: attribute 'intel_reqd_sub_group_size' can only be applied to an OpenCL kernel function
