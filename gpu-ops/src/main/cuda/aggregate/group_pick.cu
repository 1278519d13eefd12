// Kernel group_pick: see group_pick.cuh.
#include "aggregate/group_pick.cuh"

#include ARIADNE_TARGET_FILE(aggregate, group_pick)

ARIADNE_KERNEL(group_pick, 256, 1, 0) { aggregate::run(args); }
