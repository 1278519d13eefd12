// Kernels group_assign, group_find and group_hash: see group_assign.cuh.
#include "hash/group_assign.cuh"

#include ARIADNE_TARGET_FILE(hash, group_assign)
#include ARIADNE_TARGET_FILE(hash, group_find)
#include ARIADNE_TARGET_FILE(hash, group_hash)

ARIADNE_KERNEL(group_assign, 128, 8, 0) { hash::run(args); }

ARIADNE_KERNEL_TAKING(group_assign_args, group_find, 128, 8, 0) { hash::find(args); }

ARIADNE_KERNEL_TAKING(group_assign_args, group_hash, 128, 8, 0) { hash::hash_keys(args); }
