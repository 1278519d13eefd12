// Bit-unpacking: fixed-width unsigned integers, packed without gaps, least significant bit first,
// to one word each. The body of Parquet's bit-packed runs, dictionary indices, levels and DELTA
// miniblocks.
//
// Host: 64 values at a time with byte shuffles and per-lane shifts, one instance per width.
// GPU: a warp stages the words of 256 values in shared memory, so global loads and stores are both
// contiguous whatever the width.
//
// Source: Apache Parquet format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
#pragma once

#include "column/status.cuh"
#include "target/target.cuh"

// Error codes, raised with expression 0.
enum unpack_error : u32 {
  UNPACK_ERROR_TRUNCATED = 244,  // row = first value that is not wholly there; nothing is written
  UNPACK_ERROR_WIDTH = 245,      // width above the output's; row 0
};

namespace unpack {

template <typename Out>
struct arguments {
  kernel_status* status;
  const u8* packed;  // any alignment; its 4-byte words may be read up to both ends
  u64 packed_bytes;
  Out* out;   // aligned to its type
  u32 count;  // values
  u32 width;  // bits per value, 0 to 32 or 64
};

// Whether the input is whole; raises an error if not. The same in every thread.
template <typename Out>
ARIADNE_FUNCTION bool is_valid(const arguments<Out>& args, bool reports) {
  if (args.width > 8 * sizeof(Out)) {
    if (reports) {
      status::raise(args.status, 0, 0, UNPACK_ERROR_WIDTH);
    }
    return false;
  }
  const u64 bits = static_cast<u64>(args.count) * args.width;
  if ((bits + 7) / 8 > args.packed_bytes) {
    if (reports) {
      const u64 whole_values = args.packed_bytes * 8 / args.width;
      status::raise(args.status, whole_values, 0, UNPACK_ERROR_TRUNCATED);
    }
    return false;
  }
  return true;
}

}  // namespace unpack

#include ARIADNE_TARGET_FILE(unpack, unpack)
