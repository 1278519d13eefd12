// Kernel sort_encode: see sort_encode.cuh.
#include "sort/sort_encode.cuh"

ARIADNE_KERNEL(sort_encode, 256, 4, 0) { sort::encode(args); }
