// Spreads dense values over rows: the k-th present row gets value k, a null row 0. The step from
// values as Parquet stores them, without nulls, to a column.
//
// Host: 64 rows at a time; words of ones are copied, words of zeros cleared, others done without a
// branch per row.
// GPU: the number of values before a tile of rows comes from a population count, a block sum and a
// look-back; the values themselves are then read and written by neighbouring threads.
#pragma once

#include "column/status.cuh"
#include "parquet/task.cuh"

// status.rows_out = present rows. Errors, expression 0: TRUNCATED at the first row that is present
// and has no value; WIDTH with row 0.
struct parquet_spread_args {
  kernel_status* status;
  const void* dense;    // aligned to its values, booleans to 8 bytes
  const u64* validity;  // one bit per row; those behind the last row may be anything
  void* out;            // rows values; booleans: bits, zero behind the last row
  u64* workspace;       // GPU: 1 + ceil(rows / (32 * block)) zeroed words; host: unused
  u32 rows;
  u32 dense_count;  // values
  u32 width;        // bytes per value: 1, 2, 4, 8 or 16; 0: booleans of one bit
  u32 reserved;
};

#include ARIADNE_TARGET_FILE(parquet, spread)

namespace spread {

// Dispatches on the width once per launch.
ARIADNE_FUNCTION void run(const parquet_spread_args& args) {
  switch (args.width) {
    case 0:
      run_bits(args);
      break;
    case 1:
      run_values<u8>(args);
      break;
    case 2:
      run_values<u16>(args);
      break;
    case 4:
      run_values<u32>(args);
      break;
    case 8:
      run_values<u64>(args);
      break;
    case 16:
      run_values<u64x2>(args);
      break;
    default:
      status::raise(args.status, 0, 0, PARQUET_ERROR_WIDTH);
      break;
  }
}

}  // namespace spread
