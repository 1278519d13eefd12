// Strings made of strings, in two passes: the lengths, and, when they have been summed to offsets
// and the caller has allocated the heap, the bytes. What is made is a column of views into one
// heap; strings of up to 12 bytes take none of it.
//
// Both passes run the same function of a row, into a sink that counts or into one that writes.
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
  PRODUCE_REPLACE = 8,  // the second text, wherever it is, by the third
  PRODUCE_HEX = 9,      // of the bytes
};

enum produce_limit : u32 { PRODUCE_MAX_TEXTS = 8 };

enum produce_error : u8 {
  PRODUCE_ERROR_NOT_COVERED = 1,  // the row's value is not one that kernels make
  PRODUCE_ERROR_TOO_LONG = 2,     // a string of more than 2^31 - 1 bytes
};

// A column, or one value for all rows.
struct produce_input {
  column_view column;   // of texts or 32-bit integers
  const u32* codes;     // rows are those of `column` with these numbers; null: their own
  const u64* validity;  // of the rows; null: no nulls
  u32 is_constant;      // row 0 of `column` for all
  u32 reserved[3];
};

// produce_lengths: out[row].length = bytes that the row takes of the heap, out[row].prefix = bytes
// of the string; both 0 in rows that are null. produce_text: the views and the heap.
struct produce_text_args {
  kernel_status* status;
  string_view* out;
  u64* validity;       // produce_lengths writes it: rows in which no operand is null; null: all
  const i32* offsets;  // produce_text: of the rows in the heap, as string_offsets makes them
  u8* heap;            // produce_text
  u32 operation;       // produce_operation
  u32 rows;
  u32 text_count;
  u32 reserved;
  produce_input texts[PRODUCE_MAX_TEXTS];
  produce_input number;
};

#include ARIADNE_TARGET_FILE(text, produce)
