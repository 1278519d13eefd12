// sort_order brings row numbers into the order of one word of their keys, stably: sorting by the
// last word first and by the first word last sorts by all of them. Radix sort from the lowest
// digit.
//
// Host: ORDER_LOAD does everything, the other phases return at once.
// GPU: ORDER_LOAD makes elements (key, row); per digit ORDER_COUNT counts each tile's digits,
// ORDER_PLACE adds the counts up, ORDER_SCATTER writes the elements to their places in `sorted`,
// which the caller swaps with `elements`; ORDER_STORE writes the row numbers.
#pragma once

#include "column/status.cuh"

enum order_phase : u32 {
  ORDER_LOAD = 0,
  ORDER_COUNT = 1,
  ORDER_PLACE = 2,
  ORDER_SCATTER = 3,
  ORDER_STORE = 4
};

enum order_limit : u32 {
  ORDER_DIGIT_BITS = 8,    // of a GPU's digit
  ORDER_TILE_ROWS = 1024,  // of a GPU's tile
};

// Arguments of kernel sort_order. It raises no errors. An element is two words: key and row.
struct sort_order_args {
  kernel_status* status;
  const u64* keys;   // one word per row, by row number
  u32* row_numbers;  // in: an order of the rows, unless is_first; out
  u64* elements;     // 2 * rows words
  u64* sorted;       // as many
  u32* counts;       // GPU only: digits * tiles numbers
  u32 rows;
  u32 bits;      // the keys are below 2^bits; at least 1
  u32 phase;     // order_phase
  u32 shift;     // GPU only: the digit's lowest bit
  u32 is_first;  // whether the order so far is that of the numbers
  u32 reserved;
};

#include ARIADNE_TARGET_FILE(sort, sort_order)
