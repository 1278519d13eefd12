// Kernel group_assign: see group_assign.cuh.
#include "hash/group_assign.cuh"

#include ARIADNE_TARGET_FILE(hash, group_assign)

ARIADNE_KERNEL(group_assign, 128, 8, 0) { hash::run(args); }
