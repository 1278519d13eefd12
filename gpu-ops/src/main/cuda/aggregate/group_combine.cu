// Kernel group_combine: see group_combine.cuh.
#include "aggregate/group_combine.cuh"

#include ARIADNE_TARGET_FILE(aggregate, group_combine)

ARIADNE_KERNEL(group_combine, 256, 1, 0) { aggregate::run(args); }
