// Stored fixed-width values to a column's: PLAIN pages, dictionary pages, and what other decoders
// left dense. Value i lies in bytes [i * width, (i + 1) * width) of the stream, at any alignment.
//
// Host: loops over chunks that the compiler vectorises; errors and old dates are looked for per
// chunk. GPU: a warp stages the words of a tile in shared memory, so that loads and stores are
// contiguous whatever width and alignment.
//
// Source: Apache Parquet format, Encodings.md, "Plain"; LogicalTypes.md; Spark 4.1,
// ParquetVectorUpdaterFactory.
#pragma once

#include "parquet/conversion.cuh"
#include "parquet/task.cuh"

enum parquet_conversion : u32 {
  PARQUET_COPY_1 = 1,  // values of 1 to 16 bytes as they are
  PARQUET_COPY_2 = 2,
  PARQUET_COPY_4 = 3,
  PARQUET_COPY_8 = 4,
  PARQUET_COPY_16 = 5,
  PARQUET_I32_TO_I8 = 6,  // the low bits
  PARQUET_I32_TO_I16 = 7,
  PARQUET_I32_TO_I64 = 8,
  PARQUET_U32_TO_I64 = 9,
  PARQUET_I32_TO_F64 = 10,
  PARQUET_F32_TO_F64 = 11,  // one NaN for all
  PARQUET_U64_TO_I128 = 12,
  PARQUET_I32_TO_DECIMAL32 = 13,  // unscaled decimals, times 10^scale of the launch
  PARQUET_I32_TO_DECIMAL64 = 14,
  PARQUET_I32_TO_DECIMAL128 = 15,
  PARQUET_I64_TO_DECIMAL32 = 16,
  PARQUET_I64_TO_DECIMAL64 = 17,
  PARQUET_I64_TO_DECIMAL128 = 18,
  PARQUET_BIG_ENDIAN_TO_DECIMAL32 = 19,  // two's complement of 1 to 32 bytes; the same scaling
  PARQUET_BIG_ENDIAN_TO_DECIMAL64 = 20,
  PARQUET_BIG_ENDIAN_TO_DECIMAL128 = 21,  // CONVERSION when it takes more than 128 bits
  PARQUET_DATE = 22,                      // days; rebased
  PARQUET_DATE_TO_MICROS = 23,            // midnight; CONVERSION on overflow; rebased
  PARQUET_MICROS = 24,                    // rebased
  PARQUET_MILLIS_TO_MICROS = 25,          // CONVERSION on overflow; rebased
  PARQUET_NANOS_TO_MICROS = 26,           // rounded down
  PARQUET_MICROS_TO_NANOS = 27,           // CONVERSION on overflow
  PARQUET_INT96_TO_MICROS = 28,           // wraps; rebased
};

// Dates and timestamps of files written in the hybrid calendar.
enum parquet_rebase : u32 {
  PARQUET_REBASE_NONE = 0,    // Spark's CORRECTED: as they are
  PARQUET_REBASE_FAIL = 1,    // EXCEPTION: raises REBASE where the calendars differ
  PARQUET_REBASE_LEGACY = 2,  // LEGACY: the same local date and time
};

// Task: out = values of the conversion's result, aligned to it; width = bytes of a stored value.
// Errors: WIDTH, TRUNCATED (at the end of the whole values), CONVERSION, REBASE (at the value).
struct parquet_convert_args {
  kernel_status* status;
  const parquet_task* tasks;
  const i64* switches;     // rebase of timestamps: see element::rebase_table; null otherwise
  const i64* differences;  // as many
  i64 first_modern;        // from this instant on the calendars agree in every zone
  u32 task_count;
  u32 conversion;  // parquet_conversion
  u32 rebase;      // parquet_rebase
  u32 switch_count;
  u32 scale;     // decimals: digits to append, 0 to 38
  u32 is_exact;  // decimals of 32 and 64 bits: CONVERSION when they do not fit, else cut off
};

namespace convert {

inline constexpr u32 kMaxBigEndianWidth = 32;

// Whether the stream holds the task's values and there are any; raises an error if it does not.
ARIADNE_INLINE bool is_valid(const parquet_task& task, kernel_status* status, u32 number,
                             bool has_width, bool reports) {
  if (task.count == 0) {
    return false;
  }
  const u64 bytes = (static_cast<u64>(task.skip) + task.count) * task.width;
  if (has_width && bytes <= task.data_bytes) {
    return true;
  }
  if (reports) {
    const u64 offset = has_width ? task.data_bytes / task.width * task.width : 0;
    parquet::raise(status, number, offset,
                   has_width ? PARQUET_ERROR_TRUNCATED : PARQUET_ERROR_WIDTH);
  }
  return false;
}

ARIADNE_INLINE bool is_big_endian_width(u32 width) {
  return width >= 1 && width <= kMaxBigEndianWidth;
}

// Whether a converted value is one on which the calendars differ.
template <typename Function>
ARIADNE_INLINE bool is_old(const parquet_convert_args& args, typename Function::out value) {
  if constexpr (Function::calendar_of == conversion::calendar::days) {
    return value < element::kFirstGregorianDay;
  } else if constexpr (Function::calendar_of == conversion::calendar::midnights) {
    return value < element::kFirstGregorianDay * element::kMicrosPerDay;
  } else {
    return value < args.first_modern;
  }
}

// An old value in the Gregorian calendar.
template <typename Function>
ARIADNE_INLINE typename Function::out rebase(const parquet_convert_args& args,
                                             typename Function::out value) {
  if constexpr (Function::calendar_of == conversion::calendar::days) {
    return element::rebase_day(value);
  } else if constexpr (Function::calendar_of == conversion::calendar::midnights) {
    const i64 day = value / element::kMicrosPerDay;
    return value + element::julian_day_shift(day) * element::kMicrosPerDay;
  } else {
    return element::rebase_micros(value, {args.switches, args.differences, args.switch_count});
  }
}

}  // namespace convert

#include ARIADNE_TARGET_FILE(parquet, convert)

namespace convert {

// Dispatches on the conversion once per launch.
ARIADNE_FUNCTION void run(const parquet_convert_args& args) {
  using conversion::cast;
  switch (args.conversion) {
    case PARQUET_COPY_1:
      return run_fixed<cast<u8, u8>>(args);
    case PARQUET_COPY_2:
      return run_fixed<cast<u16, u16>>(args);
    case PARQUET_COPY_4:
      return run_fixed<cast<u32, u32>>(args);
    case PARQUET_COPY_8:
      return run_fixed<cast<u64, u64>>(args);
    case PARQUET_COPY_16:
      return run_fixed<cast<u128, u128>>(args);
    case PARQUET_I32_TO_I8:
      return run_fixed<cast<u32, u8>>(args);
    case PARQUET_I32_TO_I16:
      return run_fixed<cast<u32, u16>>(args);
    case PARQUET_I32_TO_I64:
      return run_fixed<cast<i32, i64>>(args);
    case PARQUET_U32_TO_I64:
      return run_fixed<cast<u32, i64>>(args);
    case PARQUET_I32_TO_F64:
      return run_fixed<conversion::int_to_double>(args);
    case PARQUET_F32_TO_F64:
      return run_fixed<conversion::float_to_double>(args);
    case PARQUET_U64_TO_I128:
      return run_fixed<cast<u64, i128>>(args);
    case PARQUET_I32_TO_DECIMAL32:
      return run_decimal<i32, i32>(args);
    case PARQUET_I32_TO_DECIMAL64:
      return run_decimal<i32, i64>(args);
    case PARQUET_I32_TO_DECIMAL128:
      return run_decimal<i32, i128>(args);
    case PARQUET_I64_TO_DECIMAL32:
      return run_decimal<i64, i32>(args);
    case PARQUET_I64_TO_DECIMAL64:
      return run_decimal<i64, i64>(args);
    case PARQUET_I64_TO_DECIMAL128:
      return run_decimal<i64, i128>(args);
    case PARQUET_BIG_ENDIAN_TO_DECIMAL32:
      return run_big_endian<i32>(args);
    case PARQUET_BIG_ENDIAN_TO_DECIMAL64:
      return run_big_endian<i64>(args);
    case PARQUET_BIG_ENDIAN_TO_DECIMAL128:
      return run_big_endian<i128>(args);
    case PARQUET_DATE:
      return run_fixed<conversion::date>(args);
    case PARQUET_DATE_TO_MICROS:
      return run_fixed<conversion::date_to_micros>(args);
    case PARQUET_MICROS:
      return run_fixed<conversion::micros>(args);
    case PARQUET_MILLIS_TO_MICROS:
      return run_fixed<conversion::millis_to_micros>(args);
    case PARQUET_NANOS_TO_MICROS:
      return run_fixed<conversion::nanos_to_micros>(args);
    case PARQUET_MICROS_TO_NANOS:
      return run_fixed<conversion::multiplied<i64, 1000>>(args);
    case PARQUET_INT96_TO_MICROS:
      return run_fixed<conversion::int96_to_micros>(args);
    default:
      status::raise(args.status, 0, 0, PARQUET_ERROR_CONVERSION);
  }
}

}  // namespace convert
