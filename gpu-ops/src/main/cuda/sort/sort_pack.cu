// Kernel sort_pack: see sort_pack.cuh.
#include "sort/sort_pack.cuh"

ARIADNE_KERNEL(sort_pack, 256, 4, 0) { sort::pack(args); }
