// Tasks of Parquet decoding: a launch decodes windows of many pages, one task each.
//
// A stream is the body of one page or a part of it, decompressed. It is not trusted: no kernel
// reads outside of its bytes, writes beyond its window or loops longer than they last.
//
// Source: Apache Parquet format, Encodings.md.
#pragma once

#include "column/status.cuh"
#include "target/target.cuh"

// Skips `skip` values of a stream and decodes the next `count`. What the last five fields mean is
// told by each kernel. skip + count < 2^31, data_bytes < 2^31; at most 65535 tasks in a launch.
struct alignas(16) parquet_task {
  const u8* data;  // any alignment
  u64 data_bytes;
  void* out;
  u64 aux;
  u32 skip;
  u32 count;
  u32 width;
  u32 limit;
};
static_assert(sizeof(parquet_task) == 48, "Java fills an array of these");

// Error codes, raised with the byte offset in the task's data as the row and the task's number as
// the expression. 200 to 239; what is written to `out` after an error is unspecified.
enum parquet_error : u32 {
  PARQUET_ERROR_TRUNCATED = 200,   // the stream ends before the last wanted value
  PARQUET_ERROR_RUN_HEADER = 201,  // a variable-length number takes more than five bytes
  PARQUET_ERROR_WIDTH = 202,       // the task's width is not one the kernel decodes
  PARQUET_ERROR_INDEX = 203,       // a dictionary index is not below the entry count
  PARQUET_ERROR_LENGTH = 204,      // a length is negative or reaches behind the stream
  PARQUET_ERROR_LEVEL = 205,       // a level is above its maximum
  PARQUET_ERROR_CONVERSION = 206,  // a value does not fit the column's type
  PARQUET_ERROR_REBASE = 207,      // a date or timestamp on which the calendars differ
  PARQUET_ERROR_DELTA = 208,       // block or miniblock size of a DELTA stream is not possible
  PARQUET_ERROR_DISTANCE = 209,    // a copy begins before the first byte of its block
  PARQUET_ERROR_SIZE = 210,        // a compressed block declares another length than its page
};

// Values that are present (whose level reaches the task's threshold) in the two parts of a task.
struct parquet_counts {
  u32 skipped;
  u32 counted;
};

namespace parquet {

ARIADNE_INLINE void raise(kernel_status* status, u32 task, u64 offset, parquet_error code) {
  status::raise(status, offset, task, code);
}

// A variable-length number of up to five bytes (ULEB128), at least `length` of them read.
struct varint {
  u32 value;
  u32 length;  // 0: not whole within the bytes given, or longer than five bytes
};

// `bytes` holds up to eight bytes of the stream, the first one lowest, of which `available` count.
ARIADNE_INLINE varint read_varint(u64 bytes, u64 available) {
  u32 value = 0;
#pragma unroll
  for (u32 i = 0; i < 5; i++) {
    const u32 byte = static_cast<u32>(bytes >> 8 * i) & 0xff;
    value |= (byte & 0x7f) << 7 * i;
    if (byte < 0x80) {
      const bool is_whole = i < available && (i < 4 || byte < 0x10);
      return {value, is_whole ? i + 1 : 0};
    }
  }
  return {0, 0};
}

}  // namespace parquet

#include ARIADNE_TARGET_FILE(parquet, task)
