// Strings that say values, as Spark's CAST writes them, in two passes: the lengths, and, when they
// have been summed to offsets and the caller has allocated the heap, the bytes. See produce.cuh.
//
// Source: org.apache.spark.sql.catalyst.expressions.ToStringBase and FractionTimestampFormatter
// (Spark 3.5 and 4.1), java.math.BigDecimal.toString, java.time.format.DateTimeFormatter.
#pragma once

#include "column/status.cuh"
#include "element/time.cuh"
#include "text/input.cuh"

enum format_type : u32 {
  FORMAT_BOOLEAN = 1,        // true, false
  FORMAT_INTEGER = 2,        // of any width
  FORMAT_DECIMAL = 3,        // BigDecimal.toString
  FORMAT_PLAIN_DECIMAL = 4,  // BigDecimal.toPlainString
  FORMAT_DATE = 5,           // days since 1970-01-01
  FORMAT_TIMESTAMP = 6,      // microseconds since 1970-01-01 00:00:00, in a zone
};

// format_lengths: out[row].length = bytes that the row takes of the heap, out[row].prefix = bytes
// of the string; both 0 in rows that are null. format_text: the views and the heap.
struct format_value_args {
  kernel_status* status;
  string_view* out;
  u64* validity;       // format_lengths writes it: that of the values; null: all rows have one
  const i32* offsets;  // format_text: of the rows in the heap, as string_offsets makes them
  u8* heap;            // format_text
  const element::step* zone;  // offsets by seconds since 1970 UTC, see step_function; null: UTC
  u32 zone_length;            // entries of `zone`
  u32 type;                   // format_type
  u32 scale;                  // of decimals, 0 to 38
  u32 rows;
  cast_input value;
};

#include ARIADNE_TARGET_FILE(text, format)
