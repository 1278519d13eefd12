// DELTA_BINARY_PACKED to 32- or 64-bit integers. Arithmetic wraps: writers of INT32 columns that
// compute in 64 bits and those that compute in 32 give the same values.
//
// Host: miniblock by miniblock, one instance per width. GPU: a warp takes a task; it reads the
// headers together, and 32 deltas at a time are unpacked and summed, one per lane. Pages are what
// runs in parallel.
#pragma once

#include "parquet/delta_stream.cuh"

// Task: width = bytes of a value, 4 or 8; out = values. Errors: WIDTH (of the task at byte 0, of a
// miniblock at its width), DELTA, TRUNCATED (also when the stream has fewer values).
struct parquet_delta_args {
  kernel_status* status;
  const parquet_task* tasks;
  u32 task_count;
  u32 reserved;
};

#include ARIADNE_TARGET_FILE(parquet, delta)
