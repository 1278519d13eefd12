// PLAIN FIXED_LEN_BYTE_ARRAY to string views: value i is bytes [i * width, (i + 1) * width) of the
// stream. Values of up to 12 bytes are copied into their views, longer ones stay where they are.
//
// Source: Apache Parquet format, Encodings.md, "Plain"; Apache Arrow columnar format,
// "Variable-size Binary View Layout".
#pragma once

#include "column/column_view.cuh"
#include "parquet/task.cuh"

// Task: out = string_view*; aux = heap number << 32 | byte offset of `data` in that heap;
// width = bytes per value, at least 1. Errors: WIDTH, TRUNCATED (at the end of the whole values).
struct parquet_fixed_binary_args {
  kernel_status* status;
  const parquet_task* tasks;
  u32 task_count;
  u32 reserved;
};

namespace fixed_binary {

// Whether the stream holds the task's values, of which there are some; raises an error if not.
ARIADNE_INLINE bool is_valid(const parquet_task& task, kernel_status* status, u32 number,
                             bool reports) {
  const u64 bytes = (static_cast<u64>(task.skip) + task.count) * task.width;
  const bool has_width = task.width > 0;
  if (has_width && bytes <= task.data_bytes) {
    return true;
  }
  if (reports) {
    const u64 offset = has_width ? task.data_bytes / task.width * task.width : 0;
    parquet::raise(status, number, offset,
                   has_width ? PARQUET_ERROR_TRUNCATED : PARQUET_ERROR_WIDTH);
  }
  return false;
}

}  // namespace fixed_binary

#include ARIADNE_TARGET_FILE(parquet, fixed_binary)
