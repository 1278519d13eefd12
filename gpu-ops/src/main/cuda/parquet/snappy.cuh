// Decompresses raw Snappy blocks. A block is the length of its result and then elements. An element
// is a tag byte and its operands: a literal contains its bytes, a copy names bytes of the result so
// far by their distance, which may be shorter than the copy.
//
// Host: the time is that of the chain from one element to the next, as lengths follow no pattern.
// So where the next element begins is worked out ahead for every byte of a stretch of input, as
// though an element began there, by vectors; and for a copy together with the short literal behind
// it. The walk is then one load and one addition per step, bytes move by copies of fixed width that
// may write more than is wanted, and no branch depends on the kind or length of an element. The
// walks of two blocks alternate: one moves its bytes while the other waits for its next step.
// GPU: a warp takes a task, and of its bytes 32 at a time. Each lane reads an element at its byte;
// jumping along with doubled steps finds those that are elements, a scan tells where they write.
// Then each lane makes a byte of the result, and jumps back along copies of copies until its source
// lies before the bytes in the making.
//
// Source: google/snappy, format_description.txt.
#pragma once

#include "parquet/task.cuh"

// Task: data = the block; count = bytes of its result; out = where they go; skip, width, limit and
// aux are not used. Exactly `count` bytes are written. Errors: SIZE at byte 0 when the block
// declares another length, RUN_HEADER when it declares none; at the tag of an element TRUNCATED
// when it is not whole, DISTANCE when a copy begins before the result, LENGTH when it reaches
// behind it; TRUNCATED at the end when bytes are missing.
struct parquet_snappy_args {
  kernel_status* status;
  const parquet_task* tasks;
  u32 task_count;
  u32 reserved;
};

namespace snappy {

inline constexpr u32 kLiteral = 0;
inline constexpr u32 kLongestInTag = 60;  // a literal's length; above, bytes behind the tag hold it

// What is wrong, 0 for nothing, and the byte of the stream where it is.
struct failure {
  u64 offset;
  u32 code;
};

// An element.
struct element {
  u64 length;    // bytes of the result
  u64 distance;  // back to the source of a copy; of a literal, from the tag to its bytes
  u32 bytes;     // of the tag and what belongs to it, less those of a literal
  bool is_literal;
};

// The element of a tag and the four bytes behind it, lowest first.
ARIADNE_INLINE element read_element(u32 tag, u32 behind) {
  const u32 high = tag >> 2;
  switch (tag & 3) {
    case kLiteral: {
      const u32 more = high < kLongestInTag ? 0 : high - kLongestInTag + 1;
      const u64 stored = behind & (u64{0xffffffff} >> (32 - 8 * more));
      return {(more == 0 ? high : stored) + 1, 1 + u64{more}, 1 + more, true};
    }
    case 1:
      return {4 + (high & 7), static_cast<u64>(tag >> 5 << 8 | (behind & 0xff)), 2, false};
    case 2:
      return {u64{high} + 1, behind & 0xffff, 3, false};
    default:
      return {u64{high} + 1, behind, 5, false};
  }
}

// The error code of an element that cannot be valid, or 0. `left` bytes of the stream begin with
// its tag, `made` bytes of the result are written, and the last argument is how many are missing.
ARIADNE_INLINE u32 code_of(const element& e, u64 left, u64 made, u64 room) {
  if (e.bytes + (e.is_literal ? e.length : 0) > left) {
    return PARQUET_ERROR_TRUNCATED;
  }
  if (!e.is_literal && (e.distance == 0 || e.distance > made)) {
    return PARQUET_ERROR_DISTANCE;
  }
  return e.length > room ? PARQUET_ERROR_LENGTH : 0;
}

// What is wrong with the length that a block declares.
ARIADNE_INLINE failure check_size(const parquet::varint& declared, u32 count) {
  if (declared.length == 0) {
    return {0, PARQUET_ERROR_RUN_HEADER};
  }
  return {0, declared.value == count ? 0u : static_cast<u32>(PARQUET_ERROR_SIZE)};
}

}  // namespace snappy

#include ARIADNE_TARGET_FILE(parquet, snappy)
