// Kernels that make strings: see produce.cuh.
#include "text/produce.cuh"

// Any grid, block of whole warps, up to 128 threads.
ARIADNE_KERNEL_TAKING(produce_text_args, produce_lengths, 128, 1, 0) {
  text::produce_lengths<text::composing>(args);
}

ARIADNE_KERNEL(produce_text, 128, 1, 0) { text::produce_text<text::composing>(args); }

// The same for functions of characters.
ARIADNE_KERNEL_TAKING(produce_text_args, recode_lengths, 128, 1, 0) {
  text::produce_lengths<text::recoding>(args);
}

ARIADNE_KERNEL_TAKING(produce_text_args, recode_text, 128, 1, 0) {
  text::produce_text<text::recoding>(args);
}
