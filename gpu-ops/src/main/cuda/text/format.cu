// Kernel that writes values as strings: see format.cuh.
#include "text/format.cuh"

// Any grid, block of whole warps, up to 128 threads.
ARIADNE_KERNEL_TAKING(format_value_args, format_text, 128, 1, 0) { text::format_text(args); }
