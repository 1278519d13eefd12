// Selection: the numbers of the rows whose bit is set, in order. With gather_rows it filters
// columns of any kind.
//
// Host: a table turns each byte of the mask into up to eight row numbers at once.
// GPU: a warp takes 1024 rows; the count before it comes from a block sum and a look-back; the
// lanes then collect the numbers of eight mask words and write them contiguously.
#pragma once

#include "column/status.cuh"
#include "target/target.cuh"

// status.rows_out = rows selected. No errors.
struct select_rows_args {
  kernel_status* status;
  const u64* mask;      // one bit per row; bits behind the last row may be anything
  const u64* validity;  // null: no nulls; a row whose mask is null is not selected
  u32* indices;         // out: numbers of the selected rows; has `rows` entries
  u64* workspace;       // GPU: 1 + ceil(rows / (32 * block)) zeroed words; host: unused
  u32 rows;
  u32 reserved;
};

#include ARIADNE_TARGET_FILE(column, select_rows)
