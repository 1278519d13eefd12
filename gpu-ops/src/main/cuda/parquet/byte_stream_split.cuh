// BYTE_STREAM_SPLIT to contiguous values: the stream holds byte 0 of all values, then byte 1 of
// all, and so on. The values are as PLAIN would store them, for parquet_convert to read.
//
// Host: for 2, 4, 8 and 16 bytes a network of byte interleavings, sixteen values at a time; other
// widths byte by byte. GPU: a warp stages each stream's bytes of 128 values, and writes contiguous
// words.
//
// Source: Apache Parquet format, Encodings.md, "Byte Stream Split".
#pragma once

#include "parquet/task.cuh"

// Task: width = bytes of a value, 1 to 65535; out = values, aligned to 4 if width is a multiple of
// 4. Errors: WIDTH; TRUNCATED at the stream's end when it is not a multiple of the width or has too
// few values.
struct parquet_byte_stream_split_args {
  kernel_status* status;
  const parquet_task* tasks;
  u32 task_count;
  u32 reserved;
};

namespace split {

inline constexpr u32 kMaxWidth = 65535;

// Whether the stream holds the task's values and there are any; raises an error if it does not.
ARIADNE_INLINE bool is_valid(const parquet_task& task, kernel_status* status, u32 number,
                             bool reports) {
  if (task.count == 0) {
    return false;
  }
  const bool has_width = task.width >= 1 && task.width <= kMaxWidth;
  const u64 bytes = (static_cast<u64>(task.skip) + task.count) * task.width;
  if (has_width && task.data_bytes % task.width == 0 && bytes <= task.data_bytes) {
    return true;
  }
  if (reports) {
    parquet::raise(status, number, has_width ? task.data_bytes : 0,
                   has_width ? PARQUET_ERROR_TRUNCATED : PARQUET_ERROR_WIDTH);
  }
  return false;
}

}  // namespace split

#include ARIADNE_TARGET_FILE(parquet, byte_stream_split)
