// Kernel group_codes: see group_codes.cuh.
#include "hash/group_codes.cuh"

#include ARIADNE_TARGET_FILE(hash, group_codes)

ARIADNE_KERNEL(group_codes, 256, 4, 0) { hash::run(args); }
