// A DELTA_BINARY_PACKED stream: a header (values per block, miniblocks per block, number of values,
// first value), then blocks, each with the smallest of its deltas and, per miniblock, the width of
// its deltas less that; then the miniblocks' bits. Value i + 1 is value i plus delta i, modulo 2^64
// or 2^32. A last block may lack the miniblocks that have no value.
//
// Source: Apache Parquet format, Encodings.md, "Delta Encoding"; as lenient as Spark 4.1's
// VectorizedDeltaBinaryPackedReader: miniblocks of any multiple of eight values.
#pragma once

#include "parquet/task.cuh"

namespace delta {

inline constexpr u32 kMaxNumberBytes = 10;  // of a variable-length number
inline constexpr u32 kMaxWidth = 64;
inline constexpr u64 kMaxValues = 0x7fffffff;

struct failure {
  u32 code;  // parquet_error, 0 for none
  u64 offset;
};

struct stream {
  u64 value;        // the next one
  u64 min_delta;    // of the current block
  u64 widths;       // offset of its widths
  u64 packed;       // offset of the next delta of the current miniblock
  u64 end;          // offset of the first byte behind it
  u32 values;       // of the whole stream
  u32 left;         // not read yet
  u32 miniblocks;   // per block
  u32 mini_values;  // per miniblock, a multiple of eight
  u32 next_mini;    // number in the block of the miniblock behind the current one
  u32 mini_left;    // deltas left in the current miniblock
  u32 width;        // of its deltas
};

ARIADNE_INLINE u64 from_zigzag(u64 number) { return number >> 1 ^ (0 - (number & 1)); }

// Reads a variable-length number (ULEB128) of up to ten bytes; byte_at(at) gives one byte. Gives
// the offset behind it, or 0 when it is not whole.
template <typename ByteAt>
ARIADNE_INLINE u64 read_number(ByteAt byte_at, u64 at, u64 end, u64& number) {
  number = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < kMaxNumberBytes && at < end; i++) {
    const u32 byte = byte_at(at++);
    number |= static_cast<u64>(byte & 0x7f) << 7 * i;
    if (byte < 0x80) {
      return at;
    }
  }
  return 0;
}

// A source gives the bytes of the task's data:
//   bytes                    their number
//   number(at, value)        as read_number
//   width(widths, index)     the byte at widths + index, which is there; index rises by one

// Reads the header that begins at `at`.
template <typename Source>
ARIADNE_FUNCTION failure open(Source& source, u64 at, stream& s) {
  const u64 start = at;
  u64 numbers[4];
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    const u64 next = source.number(at, numbers[i]);
    if (next == 0) {
      return {PARQUET_ERROR_TRUNCATED, at};
    }
    at = next;
  }
  const u64 block = numbers[0];
  const u64 miniblocks = numbers[1];
  const u64 values = numbers[2];
  if (block == 0 || block > kMaxValues || miniblocks == 0 || miniblocks > block ||
      block % miniblocks != 0 || block / miniblocks % 8 != 0 || values > kMaxValues) {
    return {PARQUET_ERROR_DELTA, start};
  }
  s = {};
  s.value = from_zigzag(numbers[3]);
  s.end = at;
  s.values = static_cast<u32>(values);
  s.left = s.values;
  s.miniblocks = static_cast<u32>(miniblocks);
  s.mini_values = static_cast<u32>(block / miniblocks);
  s.next_mini = s.miniblocks;
  return {0, 0};
}

// Reads the header of the block at the end of the current one.
template <typename Source>
ARIADNE_INLINE failure open_block(Source& source, stream& s) {
  u64 number;
  const u64 at = source.number(s.end, number);
  if (at == 0) {
    return {PARQUET_ERROR_TRUNCATED, s.end};
  }
  if (s.miniblocks > source.bytes - at) {
    return {PARQUET_ERROR_TRUNCATED, source.bytes};
  }
  s.min_delta = from_zigzag(number);
  s.widths = at;
  s.end = at + s.miniblocks;
  s.next_mini = 0;
  return {0, 0};
}

// Starts the next miniblock. Its packed bits may lie beyond the end of the stream.
template <typename Source>
ARIADNE_FUNCTION failure next_miniblock(Source& source, stream& s) {
  if (s.next_mini == s.miniblocks) {
    const failure failed = open_block(source, s);
    if (failed.code != 0) {
      return failed;
    }
  }
  s.width = source.width(s.widths, s.next_mini);
  if (s.width > kMaxWidth) {
    return {PARQUET_ERROR_WIDTH, s.widths + s.next_mini};
  }
  s.packed = s.end;
  s.end += static_cast<u64>(s.mini_values / 8) * s.width;
  s.mini_left = s.mini_values;
  s.next_mini++;
  return {0, 0};
}

// Bytes that `deltas` deltas of the current miniblock take.
ARIADNE_INLINE u64 packed_bytes(const stream& s, u32 deltas) {
  return (static_cast<u64>(deltas) * s.width + 7) / 8;
}

// Goes to the end of a stream that was just opened, without reading its deltas.
template <typename Source>
ARIADNE_FUNCTION failure pass_over(Source& source, stream& s) {
  for (u64 deltas = s.values == 0 ? 0 : s.values - 1; deltas > 0;) {
    const failure failed = next_miniblock(source, s);
    if (failed.code != 0) {
      return failed;
    }
    if (s.end > source.bytes) {
      return {PARQUET_ERROR_TRUNCATED, source.bytes};
    }
    deltas -= deltas < s.mini_values ? deltas : s.mini_values;
  }
  s.left = 0;
  return {0, 0};
}

}  // namespace delta

#include ARIADNE_TARGET_FILE(parquet, delta_stream)
