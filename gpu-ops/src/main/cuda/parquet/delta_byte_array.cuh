// DELTA_BYTE_ARRAY to string views over a heap of its own. A value begins with the first bytes of
// the one before it; the stream holds the lengths of these prefixes and of the suffixes, each as
// DELTA_BINARY_PACKED, then the suffixes' bytes.
//
// Two launches: parquet_delta_byte_array tells lengths and places, so that the caller can allocate
// the heap, parquet_delta_byte_array_fill writes it and makes the views.
//
// Host: values one after another. GPU: lengths by a warp per task. The heap by columns: byte j of a
// value is its own or that of the value before, so a lane goes down the values with the byte it saw
// last in a register, and never waits for memory written before; warps take 32 columns each.
//
// Source: Apache Parquet format, Encodings.md, "Delta Strings".
#pragma once

#include "parquet/delta_length.cuh"

// A value between the two launches, in the place of its view.
struct alignas(16) parquet_delta_entry {
  u32 length;
  u32 prefix;  // bytes of it that are the previous value's
  u32 suffix;  // offset in the stream of the others
  u32 heap;    // offset of the value in the task's part of the heap
};

// Task: out = parquet_delta_entry*, 16 bytes per value; the first `count` values are read, skip is
// not used. Result: bytes of the task's part of the heap; entries mean nothing when they exceed
// 2^31 - 1. Errors: those of parquet_delta; LENGTH at the suffix of a value whose prefix is longer
// than the value before, or that reaches behind the stream, or is longer than 2^31 - 1.
struct parquet_delta_byte_array_args {
  kernel_status* status;
  const parquet_task* tasks;
  parquet_binary_result* results;  // one per task
  u32 task_count;
  u32 reserved;
};

// Task: as before; out = entries, replaced by views; aux = heap number << 32 | offset of the task's
// part in the heap; limit = its longest value. Parts lie in the order of the tasks; 16 bytes behind
// the last are the heap's too. No errors: the entries are trusted.
struct parquet_delta_byte_array_fill_args {
  kernel_status* status;
  const parquet_task* tasks;
  u8* heap;
  u32 task_count;
  u32 reserved;
};

namespace delta {

inline constexpr u32 kMaxLength = 0x7fffffff;

// Whether a value cannot be: its prefix against the value before, its suffix against what is left.
ARIADNE_INLINE bool is_wrong_value(u32 prefix, u32 suffix, u32 previous_length, u64 left) {
  return prefix > previous_length || suffix > left ||
         static_cast<u64>(prefix) + suffix > kMaxLength;
}

}  // namespace delta

#include ARIADNE_TARGET_FILE(parquet, delta_byte_array)
