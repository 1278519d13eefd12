// Kernel tile_program: see tile_program.cuh.
#include "tile/tile_program.cuh"

#include ARIADNE_TARGET_FILE(tile, interpreter)

ARIADNE_KERNEL(tile_program, TILE_GPU_THREADS, TILE_GPU_ITEMS, 0) { tile::run(args); }
