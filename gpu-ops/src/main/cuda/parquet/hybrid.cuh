// Parquet's hybrid of run-length and bit-packed runs: levels, dictionary indices and booleans.
//
// A stream is a sequence of runs. A run begins with a variable-length number: even, n * 2, says
// that one value, in as few whole bytes as its width takes, repeats n times; odd, n * 2 + 1, that
// n * 8 values follow, bit-packed. Streams come without their length prefix. Values of width 0 are
// all 0 and their stream is not read. The last run may be longer than what is wanted of it, and its
// bytes may end with the last wanted value.
//
// Host: runs are decoded where they are found; bit-packed ones by unpack/, levels of one bit as
// bits, without unpacking them.
// GPU: a block takes a task. A warp looks at 32 bytes at a time, each lane reading a header as
// though a run began at its byte; following the lanes' answers, which takes five steps for any
// number of runs, tells where runs do begin. When its table is full the whole block writes the
// values, each thread finding the run of its value by bisection. A page of many values is best
// given as several tasks: each passes over the headers before its own window, which is cheap.
//
// Errors common to all: RUN_HEADER and TRUNCATED at the header of the run, WIDTH at 0.
//
// Source: Apache Parquet format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
#pragma once

#include "parquet/task.cuh"

// Definition levels to validity bits. Task: skip and count in levels; width 0 to 16; limit =
// maximum level << 16 | threshold; value i is bit aux + i of `out`, set when its level is at least
// the threshold. `out` are u64 words, zeroed before: bits are only ever set, so that tasks may
// share words. Error LEVEL for a level above the maximum.
struct parquet_validity_args {
  kernel_status* status;
  const parquet_task* tasks;
  parquet_counts* counts;  // one per task: levels that reach the threshold; null: not wanted
  u32 task_count;
  u32 reserved;
};

// Levels to one byte each. Task: width 0 to 8; limit = maximum level, below 256; out = u8*. Counted
// are the levels that equal the maximum. Error LEVEL.
struct parquet_levels_args {
  kernel_status* status;
  const parquet_task* tasks;
  parquet_counts* counts;  // null: not wanted
  u32 task_count;
  u32 reserved;
};

// Dictionary indices. Task: width 0 to 32; limit = entries of the dictionary; out = u32*. Error
// INDEX at the byte where an index begins that is not below the limit.
struct parquet_codes_args {
  kernel_status* status;
  const parquet_task* tasks;
  u32 task_count;
  u32 reserved;
};

// Booleans. Task: width 1 = run-length encoded, 0 = plain, one bit each; out and aux as those of
// parquet_validity.
struct parquet_bits_args {
  kernel_status* status;
  const parquet_task* tasks;
  u32 task_count;
  u32 reserved;
};

namespace hybrid {

// What levels are held to.
struct level_rule {
  u32 maximum;
  u32 threshold;
};

ARIADNE_INLINE level_rule validity_rule(const parquet_task& task) {
  return {task.limit >> 16, task.limit & 0xffff};
}

ARIADNE_INLINE level_rule levels_rule(const parquet_task& task) { return {task.limit, task.limit}; }

// Whether the bits of a stream are the result: levels 0 and 1, of which 1 reaches the threshold.
ARIADNE_INLINE bool is_bitwise(const parquet_task& task, level_rule rule) {
  return task.width == 1 && rule.threshold == 1 && rule.maximum >= 1;
}

// Why a header of length 0 could not be read.
ARIADNE_INLINE parquet_error header_error(u64 available) {
  return available < 5 ? PARQUET_ERROR_TRUNCATED : PARQUET_ERROR_RUN_HEADER;
}

// Mask of the bytes in which a run keeps its value.
ARIADNE_INLINE u32 value_mask(u32 value_bytes) {
  return static_cast<u32>((u64{1} << 8 * value_bytes) - 1);
}

// Whether the kernel decodes the task's width; raises an error if not.
ARIADNE_INLINE bool has_width(const parquet_task& task, u32 largest, kernel_status* status,
                              u32 number, bool reports) {
  if (task.width <= largest) {
    return true;
  }
  if (reports) {
    parquet::raise(status, number, 0, PARQUET_ERROR_WIDTH);
  }
  return false;
}

inline constexpr u32 kMaxValidityWidth = 16;
inline constexpr u32 kMaxLevelWidth = 8;
inline constexpr u32 kMaxCodeWidth = 32;

}  // namespace hybrid

#include ARIADNE_TARGET_FILE(parquet, hybrid)
