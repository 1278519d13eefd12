#pragma once

#include "aggregate/accumulator.cuh"
#include "column/status.cuh"

// group_combine adds records of accumulators to the records of the groups they belong to: the
// second half of merging tables, after group_assign has found the groups. Updates commute and are
// exact, so the order of records does not show.
enum combine_limit : u32 { COMBINE_MAX_ACCUMULATORS = 64 };

// Arguments of kernel group_combine.
struct group_combine_args {
  kernel_status* status;
  const u32* group_ids;  // the group of each record
  const u8* source;      // rows records
  u8* target;            // records of all groups
  u32 rows;
  u32 stride;  // bytes of a record, a multiple of 16
  u32 accumulator_count;
  u32 reserved;
  u32 offsets[COMBINE_MAX_ACCUMULATORS];  // bytes from the start of a record
  u32 kinds[COMBINE_MAX_ACCUMULATORS];    // opcode (TILE_AGG_...) that updates the accumulator
};
