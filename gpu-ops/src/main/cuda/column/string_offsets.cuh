// String views to Arrow's offsets and characters, in two passes: the lengths are summed to offsets,
// then the caller allocates the characters and the second kernel copies them.
//
// GPU: single-pass prefix sum by decoupled look-back; the copy gives each lane one byte of the
// output at a time, so that stores are contiguous whatever the lengths.
//
// Source: Apache Arrow columnar format, "Variable-size Binary Layout".
#pragma once

#include "column/column_view.cuh"
#include "column/gather.cuh"
#include "column/status.cuh"
#include "target/target.cuh"

// offsets[0] = 0 ... offsets[rows] = bytes, which is also left in status.detail[0]. Null rows are
// empty. Errors: COLUMN_ERROR_LENGTH at the row; COLUMN_ERROR_OFFSET with row 0 when the sum
// exceeds 2^31 - 1: then the offsets mean nothing.
struct string_offsets_args {
  kernel_status* status;
  const string_view* views;
  const u64* validity;  // null: no nulls
  i32* offsets;         // rows + 1
  u64* workspace;       // GPU: 1 + ceil(rows / (4 * block)) zeroed words; host: unused
  u32 rows;
  u32 reserved;
};

// Copies the characters to out + offsets[row]; `offsets` as made from the same views.
struct string_characters_args {
  kernel_status* status;
  const string_view* views;
  const u64* validity;
  const void* const* heaps;
  const i32* offsets;
  u8* out;
  u32 rows;
  u32 reserved;
};

namespace strings {

inline constexpr u64 kMaxOffset = 0x7fffffff;

template <typename Arguments>
ARIADNE_INLINE bool is_present(const Arguments& args, u32 row) {
  return args.validity == nullptr || gather::bit(args.validity, row);
}

// Length of a row, 0 when null; raises an error and gives 0 when negative.
ARIADNE_INLINE u32 length(const string_offsets_args& args, u32 row) {
  const i32 length = target::load_ro(&args.views[row].length);
  if (!is_present(args, row)) {
    return 0;
  }
  if (length < 0) {
    status::raise(args.status, row, 0, COLUMN_ERROR_LENGTH);
    return 0;
  }
  return static_cast<u32>(length);
}

// The last offset, and the verdict on it.
ARIADNE_INLINE void finish(const string_offsets_args& args, u64 bytes) {
  args.offsets[args.rows] = static_cast<i32>(bytes);
  args.status->detail[0] = bytes;
  if (bytes > kMaxOffset) {
    status::raise(args.status, 0, 0, COLUMN_ERROR_OFFSET);
  }
}

}  // namespace strings

#include ARIADNE_TARGET_FILE(column, string_offsets)
