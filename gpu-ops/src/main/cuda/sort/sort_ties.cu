// Kernel sort_ties: see sort_ties.cuh.
#include "sort/sort_ties.cuh"

ARIADNE_KERNEL(sort_ties, 256, 4, 0) { sort::sort_ties(args); }
