#include "column/entry_mask.cuh"

// Any grid, block of whole warps; a thread takes eight rows.
ARIADNE_KERNEL(entry_mask, 256, 8, 0) { entries::run(args); }
