// Kernel join_rows: see join_rows.cuh.
#include "join/join_rows.cuh"

#include ARIADNE_TARGET_FILE(join, join_rows)

ARIADNE_KERNEL(join_rows, 256, 4, 0) { join::run(args); }
