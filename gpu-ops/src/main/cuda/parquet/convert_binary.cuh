// Decimals stored as BYTE_ARRAY: string views of big-endian two's complement numbers to unscaled
// integers.
//
// Host: a loop. GPU: a thread per value.
//
// Source: Apache Parquet format, LogicalTypes.md, "DECIMAL"; Spark 4.1,
// ParquetVectorUpdaterFactory.
#pragma once

#include "column/column_view.cuh"
#include "parquet/convert.cuh"

// Task: data = string_view*, aligned, 16 bytes per value; out = unscaled integers. Errors, at the
// view: LENGTH for no bytes at all; CONVERSION for more than 32, or when a decimal of 128 bits
// takes more, or an exact one more than its width; TRUNCATED.
struct parquet_convert_binary_args {
  kernel_status* status;
  const parquet_task* tasks;
  const void* const* heaps;  // of the views
  u32 task_count;
  u32 conversion;  // one of PARQUET_BIG_ENDIAN_TO_DECIMAL32 to 128
  u32 scale;       // digits to append, 0 to 38
  u32 is_exact;    // decimals of 32 and 64 bits: CONVERSION when they do not fit, else cut off
};

namespace convert {

// One value; gives its error, 0 for none.
template <typename Out>
ARIADNE_INLINE u32 convert_view(const parquet_convert_binary_args& args, const string_view* view,
                                u128 factor, Out& out) {
  const auto bounds = conversion::bounds_of<Out>(args.scale, args.is_exact);
  const u32 length = static_cast<u32>(target::load_ro(&view->length));
  if (length == 0 || length > kMaxBigEndianWidth) {
    return length == 0 ? PARQUET_ERROR_LENGTH : PARQUET_ERROR_CONVERSION;
  }
  const u8* bytes = column::characters(view, args.heaps);
  u128 value = static_cast<u128>(static_cast<i128>(static_cast<i8>(target::load_ro(bytes))));
  bool fits = true;
#pragma clang loop unroll(disable)
  for (u32 i = 1; i < length; i++) {
    const i64 high = static_cast<i64>(value >> 64);
    fits = fits && high >> 55 == high >> 63;
    value = value << 8 | target::load_ro(bytes + i);
  }
  out = conversion::scaled<Out>(static_cast<i128>(value), factor);
  const bool has_room = fits || (sizeof(Out) < 16 && args.is_exact == 0);
  return !has_room || bounds.fails(static_cast<i128>(value)) ? PARQUET_ERROR_CONVERSION : 0;
}

// Value i of a task's window.
template <typename Out>
ARIADNE_INLINE void convert_one(const parquet_convert_binary_args& args, const parquet_task& task,
                                u32 number, u128 factor, u32 i) {
  const u64 offset = (static_cast<u64>(task.skip) + i) * sizeof(string_view);
  const auto* view = reinterpret_cast<const string_view*>(task.data + offset);
  Out value;
  const u32 error = convert_view<Out>(args, view, factor, value);
  if (error != 0) {
    parquet::raise(args.status, number, offset, static_cast<parquet_error>(error));
  } else {
    target::store(static_cast<Out*>(task.out) + i, value);
  }
}

}  // namespace convert

#include ARIADNE_TARGET_FILE(parquet, convert_binary)

namespace convert {

ARIADNE_FUNCTION void run(const parquet_convert_binary_args& args) {
  switch (args.conversion) {
    case PARQUET_BIG_ENDIAN_TO_DECIMAL32:
      return run_views<i32>(args);
    case PARQUET_BIG_ENDIAN_TO_DECIMAL64:
      return run_views<i64>(args);
    case PARQUET_BIG_ENDIAN_TO_DECIMAL128:
      return run_views<i128>(args);
    default:
      status::raise(args.status, 0, 0, PARQUET_ERROR_CONVERSION);
  }
}

}  // namespace convert
