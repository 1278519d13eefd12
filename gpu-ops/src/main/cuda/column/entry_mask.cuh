// For each row of a dictionary column what was worked out once for its entry: a bit.
#pragma once

#include "column/status.cuh"
#include "target/target.cuh"

// No errors. Codes are below the number of entries, also those of rows that are null.
struct entry_mask_args {
  kernel_status* status;
  const u32* codes;
  const u8* truths;  // of each entry, 0 or 1
  u64* mask;         // one bit per row; bits behind the last row are cleared up to a 64-bit word
                     // on the host, a 32-bit word on the GPU
  u32 rows;
  u32 reserved;
};

#include ARIADNE_TARGET_FILE(column, entry_mask)
