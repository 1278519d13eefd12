// Makes strings from strings, in two passes. The first pass finds the lengths. When these have been
// summed to offsets and the caller has allocated the heap, the second pass writes the bytes. The
// result is a column of views into one heap; strings of up to 12 bytes take none of it.
//
// Both passes run the same function of a row, with a sink that counts or a sink that writes.
//
// Source: org.apache.spark.unsafe.types.UTF8String (Spark 3.5 and 4.1).
#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"

// What is made. Operands are texts in order, and the number.
enum produce_operation : u32 {
  PRODUCE_CONCAT = 1,
  PRODUCE_UPPER = 2,    // of ASCII
  PRODUCE_LOWER = 3,    // of ASCII
  PRODUCE_REVERSE = 4,  // by characters
  PRODUCE_REPEAT = 5,   // number times
  PRODUCE_LPAD = 6,     // to number characters, with the second text
  PRODUCE_RPAD = 7,
  PRODUCE_REPLACE = 8,                 // the second text, wherever it is, by the third
  PRODUCE_HEX = 9,                     // of the bytes
  PRODUCE_CONCAT_WITH_SEPARATOR = 10,  // those not null, the first text between them
  PRODUCE_SPLIT_PART = 11,             // the part with the number, from 1 or from the end
  PRODUCE_SUBSTRING_INDEX = 12,        // up to the second text, found the number-th time

  // By recode_lengths and recode_text:
  PRODUCE_TRANSLATE = 32,  // code points of the second text by those of the third
  PRODUCE_INITCAP = 33,    // of ASCII, words being what is between spaces
  PRODUCE_BASE64 = 34,     // in lines of number characters, in one when it is 0
  PRODUCE_UNBASE64 = 35,
  PRODUCE_UNHEX = 36,        // null where it is no number in base 16
  PRODUCE_WELL_FORMED = 37,  // the text itself, which has to be UTF-8
  PRODUCE_CHARACTER = 38,    // with the code point number % 256; none below 0
  PRODUCE_DIGITS_16 = 39,    // of the number, unsigned
  PRODUCE_DIGITS_2 = 40,
};

enum produce_limit : u32 { PRODUCE_MAX_TEXTS = 16 };

enum produce_error : u8 {
  PRODUCE_ERROR_NOT_COVERED = 1,  // the row's value is not one that kernels make
  PRODUCE_ERROR_TOO_LONG = 2,     // a string of more than 2^31 - 1 bytes
};

// A column, or one value for all rows.
struct produce_input {
  column_view column;   // of texts, or integers of 32 or 64 bits
  const u32* codes;     // rows are those of `column` with these numbers; null: their own
  const u64* validity;  // of the rows; null: no nulls
  u32 is_constant;      // row 0 of `column` for all
  u32 reserved[3];
};

// ..._lengths: out[row].length = bytes that the row takes of the heap, out[row].prefix = bytes of
// the string; both 0 in rows that are null. ..._text: the views and the heap.
struct produce_text_args {
  kernel_status* status;
  string_view* out;
  u64* validity;       // ..._lengths writes it; null: no row is null. Bits behind the last row are
                       // cleared up to a 64-bit word on the host, a 32-bit word on the GPU
  const i32* offsets;  // ..._text: of the rows in the heap, as string_offsets makes them
  u8* heap;            // ..._text
  u32 operation;       // produce_operation
  u32 rows;
  u32 text_count;
  u32 reserved;
  produce_input texts[PRODUCE_MAX_TEXTS];
  produce_input number;
};

#include ARIADNE_TARGET_FILE(text, produce)
