// PLAIN BYTE_ARRAY to string views. Each value is its length in four bytes and then its bytes, so a
// value's place is known only when all before it have been read. Values of up to 12 bytes are
// copied into their views, longer ones stay in the page.
//
// Host: one walk. A view's first words are what the page holds at a value (length and bytes), so a
// value takes one 16-byte load, a mask and a store, and the walk is as fast as the chain of
// lengths. GPU: a block takes a task, and of its bytes a window at a time, kept in shared memory.
// Each thread reads a length at each of its bytes as though a value began there; jumping along
// these answers with doubled steps marks the places where values do begin in as many steps as the
// logarithm of their number, and a block-wide sum numbers them. A single walker would instead wait
// for memory once per value while the block stands idle.
//
// Source: Apache Parquet format, Encodings.md, "Plain"; Apache Arrow columnar format,
// "Variable-size Binary View Layout".
#pragma once

#include "column/column_view.cuh"
#include "parquet/task.cuh"

// What a task found, skipped values included.
struct parquet_binary_result {
  u64 bytes;    // of the stream up to the end of the last value
  u32 longest;  // length of the longest value
  u32 reserved;
};

// Task: skip and count in values; out = string_view*; aux = heap number << 32 | byte offset of
// `data` in that heap, which is shorter than 2^31. Errors at the byte where the value begins:
// LENGTH, TRUNCATED when not even its length is there.
struct parquet_binary_args {
  kernel_status* status;
  const parquet_task* tasks;
  parquet_binary_result* results;  // one per task
  u32 task_count;
  u32 reserved;
};

namespace binary {

inline constexpr u32 kLengthBytes = 4;

}  // namespace binary

#include ARIADNE_TARGET_FILE(parquet, binary)
