// Kernel dense_groups: see dense_groups.cuh.
#include "hash/dense_groups.cuh"

#include ARIADNE_TARGET_FILE(hash, dense_groups)

ARIADNE_KERNEL(dense_groups, 256, 4, 0) { hash::run(args); }
