// Kernel group_partition: see group_partition.cuh.
#include "hash/group_partition.cuh"

#include ARIADNE_TARGET_FILE(hash, group_partition)

ARIADNE_KERNEL(group_partition, 256, 4, 0) { hash::run(args); }
