// Parses strings into columns of another type, as Spark's CAST does. A value is null where the
// string is null or cannot be parsed. When the latter is an error, or when only Spark's code can
// parse a string, the caller evaluates the batch with Spark's code.
//
// Source: see parse_numbers.cuh, parse_floats.cuh and parse_times.cuh.
#pragma once

#include "column/status.cuh"
#include "element/time.cuh"
#include "text/input.cuh"

enum parse_type : u32 {
  PARSE_BOOLEAN = 1,          // bits
  PARSE_INTEGER = 2,          // of the width of `kind`; a fraction is dropped
  PARSE_WHOLE = 3,            // the same without a fraction
  PARSE_DECIMAL = 4,          // unscaled, ties away from zero
  PARSE_DATE = 5,             // days since 1970-01-01
  PARSE_TIMESTAMP = 6,        // microseconds since 1970-01-01 00:00:00 UTC
  PARSE_LOCAL_TIMESTAMP = 7,  // microseconds of local time
  PARSE_FLOATING = 8,         // of the width of `kind`
};

enum parse_error : u8 {
  PARSE_ERROR_UNKNOWN = 1,    // only Spark's code knows the string
  PARSE_ERROR_MALFORMED = 2,  // the string says nothing of the kind, and `raises` is set
};

// detail[0] of the status: rows of the result that are null.
struct parse_text_args {
  kernel_status* status;
  void* out;
  u64* validity;              // written, a bit for each row
  const element::step* zone;  // PARSE_TIMESTAMP: offsets by local seconds, see step_function
  u32 zone_length;            // entries of `zone`
  u32 type;                   // parse_type
  column_kind kind;           // of `out`
  u32 precision;              // of a decimal
  u32 scale;
  u32 raises;  // whether a malformed string is an error
  u32 rows;
  u32 reserved;
  cast_input text;
};

#include ARIADNE_TARGET_FILE(text, parse)
