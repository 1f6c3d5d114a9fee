// target: lavapipe,max_subgroup_size=0

__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global int *p) {} //~ 16 error: attribute 'intel_reqd_sub_group_size' requires support for 'cl_intel_required_subgroup_size'
