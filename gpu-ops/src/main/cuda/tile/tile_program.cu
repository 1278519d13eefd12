// Kernels of the tile program: see tile_program.cuh. On the GPU all operations of a kernel share
// one number of registers, of which the DECIMAL_ operations and the hashes of byte strings need
// most by far: programs without them run in a kernel without them, at twice the threads. On the
// host the two are one.
#include "tile/tile_program.cuh"

#include ARIADNE_TARGET_FILE(tile, interpreter)

// Refuses DECIMAL_ADD to DECIMAL_RESCALE, hashes of decimals, what reads strings, and AGG_SUM_F64,
// on the GPU.
ARIADNE_KERNEL(tile_program, TILE_GPU_THREADS, TILE_GPU_ITEMS, 0) {
  tile::run<tile::operation_set::all_but_long>(args);
}

ARIADNE_KERNEL_TAKING(tile_program_args, tile_program_decimal, TILE_GPU_DECIMAL_THREADS,
                      TILE_GPU_ITEMS, 0) {
  tile::run<tile::operation_set::all>(args);
}
