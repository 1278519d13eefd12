// Gather: row i of the output is row indices[i] of the input, for fixed-width columns of every
// kind. Views are copied as they are: output and input share the heaps.
//
// GPU: a warp takes 256 rows; stores are contiguous, and so are the bit words, which it collects by
// ballots. Loads are as scattered as the indices.
#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"
#include "target/target.cuh"

enum column_error : u32 {
  COLUMN_ERROR_INDEX = 246,   // an index is neither a row of the input nor null
  COLUMN_ERROR_LENGTH = 247,  // a view has a negative length
  COLUMN_ERROR_OFFSET = 248,  // the characters exceed what 32-bit offsets reach; detail[0] = bytes
};

struct gather_rows_args {
  kernel_status* status;
  column_view in;
  const u32* indices;  // GATHER_NULL_INDEX: the output row is null, its value 0
  void* out;           // rows values of the input's kind; booleans: bits, zero behind the last row
  u64* out_validity;   // null: not written; then neither input nor indices may have nulls
  u32 rows;
  u32 in_rows;
};

enum gather_index : u32 {
  GATHER_NULL_INDEX = 0x7fffffff,
};

namespace gather {

// Source row of one output row, or in_rows when there is none; raises an error for a wrong index.
ARIADNE_INLINE u32 source_row(const gather_rows_args& args, u32 row) {
  const u32 index = target::load_ro(args.indices + row);
  if (index < args.in_rows) {
    return index;
  }
  if (index != GATHER_NULL_INDEX) {
    status::raise(args.status, row, 0, COLUMN_ERROR_INDEX);
  }
  return args.in_rows;
}

ARIADNE_INLINE bool bit(const void* words, u32 row) {
  return target::load_ro(static_cast<const u32*>(words) + row / 32) >> row % 32 & 1;
}

ARIADNE_INLINE bool is_valid(const gather_rows_args& args, u32 source) {
  return source < args.in_rows && (args.in.validity == nullptr || bit(args.in.validity, source));
}

}  // namespace gather

#include ARIADNE_TARGET_FILE(column, gather)

namespace gather {

// Dispatches on the kind once per launch.
ARIADNE_FUNCTION void run(const gather_rows_args& args) {
  switch (args.in.kind) {
    case column_kind::boolean:
      run_bits(args);
      break;
    case column_kind::i8:
      run_values<u8>(args);
      break;
    case column_kind::i16:
      run_values<u16>(args);
      break;
    case column_kind::i32:
    case column_kind::f32:
      run_values<u32>(args);
      break;
    case column_kind::i64:
    case column_kind::f64:
      run_values<u64>(args);
      break;
    case column_kind::i128:
    case column_kind::view16:
      run_values<u64x2>(args);
      break;
  }
}

}  // namespace gather
