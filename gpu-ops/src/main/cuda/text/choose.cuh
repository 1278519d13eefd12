// A string chosen among several columns, row by row, without a copy of its bytes: views into the
// heaps of all the columns, which the result has one after the other.
#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"

// Which of the options a row takes.
enum choose_rule : u32 {
  CHOOSE_NUMBERED = 1,  // the one with the row's number
  CHOOSE_FIRST = 2,     // the first one that is not null
  CHOOSE_GREATEST = 3,  // the first of those than which none is greater, by bytes, unsigned
  CHOOSE_LEAST = 4,
};

enum choose_limit : u32 { CHOOSE_MAX_OPTIONS = 16 };

// A column, or one value for all rows.
struct choose_option {
  column_view column;   // of views, heaps needed for GREATEST and LEAST only; or 32-bit integers
  const u32* codes;     // rows are those of `column` with these numbers; null: their own
  const u64* validity;  // of the rows; null: no nulls
  u32 is_constant;      // row 0 of `column` for all
  u32 first_heap;       // number of the column's first heap among those of the result
};

// No errors. A row is null where its number is, or what it takes, or all that it might take.
struct choose_text_args {
  kernel_status* status;
  string_view* out;
  u64* validity;  // null when no row can be null; bits behind the last row are cleared up to a
                  // 64-bit word on the host, a 32-bit word on the GPU
  u32 rule;       // choose_rule
  u32 rows;
  u32 option_count;
  u32 reserved;
  choose_option options[CHOOSE_MAX_OPTIONS];
  choose_option number;  // for NUMBERED, below option_count where not null
};

#include ARIADNE_TARGET_FILE(text, choose)
