// Kernels that make strings: see produce.cuh.
#include "text/produce.cuh"

// Any grid, block of up to 128 threads.
ARIADNE_KERNEL_TAKING(produce_text_args, produce_lengths, 128, 1, 0) {
  text::produce_lengths(args);
}

ARIADNE_KERNEL(produce_text, 128, 1, 0) { text::produce_text(args); }
