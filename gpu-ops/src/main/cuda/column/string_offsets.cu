#include "column/string_offsets.cuh"

// Any grid, block of up to 256 threads.
ARIADNE_KERNEL(string_offsets, 256, 4, 0) { strings::make_offsets(args); }

// Any grid, block of up to 256 threads; a warp does 32 rows at a time.
ARIADNE_KERNEL(string_characters, 256, 1, 0) { strings::copy_characters(args); }
