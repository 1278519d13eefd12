// Strings that say values, as Spark's CAST writes them, in one pass: no value takes more than
// `bound` bytes, so the heap is as long as all rows might need. The host form puts the strings one
// behind the other, the GPU form each into a slot of its own.
//
// Source: org.apache.spark.sql.catalyst.expressions.ToStringBase and FractionTimestampFormatter
// (Spark 3.5 and 4.1), java.math.BigDecimal.toString, java.time.format.DateTimeFormatter,
// java.lang.Double.toString.
#pragma once

#include "column/status.cuh"
#include "element/float_digits.cuh"
#include "element/time.cuh"
#include "text/input.cuh"

enum format_type : u32 {
  FORMAT_BOOLEAN = 1,           // true, false
  FORMAT_INTEGER = 2,           // of any width
  FORMAT_DECIMAL = 3,           // BigDecimal.toString
  FORMAT_PLAIN_DECIMAL = 4,     // BigDecimal.toPlainString
  FORMAT_DATE = 5,              // days since 1970-01-01
  FORMAT_TIMESTAMP = 6,         // microseconds since 1970-01-01 00:00:00, in a zone
  FORMAT_FLOATING = 7,          // Double.toString and Float.toString since JDK 19
  FORMAT_CLASSIC_FLOATING = 8,  // the same before
};

// The most bytes that a value takes, a multiple of 8; those of up to 12 need no heap.
enum format_bound : u32 {
  FORMAT_BOUND_SHORT = 0,     // booleans, integers of up to 32 bits
  FORMAT_BOUND_LONG = 24,     // integers of 64 bits, floating point
  FORMAT_BOUND_DATE = 16,     // +5881580-07-11
  FORMAT_BOUND_TIME = 32,     // +294247-01-10 04:00:54.775807
  FORMAT_BOUND_DECIMAL = 32,  // of up to 18 digits: -1.23456789012345678E-18
  FORMAT_BOUND_LONG_DECIMAL = 48,
};

// detail[0] of the status: bytes of the heap that are used. Nulls are empty strings; validity is
// the caller's affair.
struct format_value_args {
  kernel_status* status;
  string_view* out;
  u8* heap;                   // rows * bound bytes; null when the bound is FORMAT_BOUND_SHORT
  const element::step* zone;  // offsets by seconds since 1970 UTC, see step_function; null: UTC
  u32 zone_length;            // entries of `zone`
  u32 type;                   // format_type
  u32 scale;                  // of decimals, 0 to 38
  u32 bound;                  // format_bound
  u32 rows;
  u32 reserved;
  cast_input value;
};

#include ARIADNE_TARGET_FILE(text, format)
