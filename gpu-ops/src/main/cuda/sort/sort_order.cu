// Kernel sort_order: see sort_order.cuh.
#include "sort/sort_order.cuh"

ARIADNE_KERNEL(sort_order, 256, 4, 0) { sort::order(args); }
