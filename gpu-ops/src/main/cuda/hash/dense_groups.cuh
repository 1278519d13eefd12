#pragma once

#include "hash/key_row.cuh"

// dense_groups numbers the keys of a table that takes no more rows by their values: for one integer
// key whose values lie close together, a table with an entry for each value of their range. The
// group of a key is the number of its first row. A row whose key is null is a group of its own,
// which DENSE_FIND never finds.
//
// Launch order: DENSE_RANGE; with cleared entries DENSE_PUT, DENSE_GROUPS; then, also by several
// calls at once, DENSE_FIND. On the host DENSE_GROUPS does the work of DENSE_PUT, which returns at
// once.
//
// DENSE_RANGE takes the greatest of all ordered(value) and of all ~ordered(value): starting with
// zeros, both stay zero only when there is no value.
enum dense_phase : u32 {
  DENSE_RANGE = 0,
  DENSE_PUT = 1,
  DENSE_GROUPS = 2,  // status.rows_out = groups
  DENSE_FIND = 3,    // group_ids: as of group_find
};

// Arguments of kernel dense_groups. It raises no errors.
struct dense_groups_args {
  kernel_status* status;
  u64* range;      // DENSE_RANGE: two words, zero before: of ~ordered(value), of ordered(value)
  u32* entries;    // of each value: ~first row, zero for none
  u32* group_ids;  // out: of each row
  u64 least;       // the value of the first entry
  u64 entry_count;
  u32 phase;  // dense_phase
  u32 rows;
  column_view key;  // i8 to i64
};

namespace hash {

// Values as unsigned words in their order.
ARIADNE_INLINE u64 ordered(u64 value) { return value ^ u64{1} << 63; }

// The place of a value among the entries; beyond them where it has none.
ARIADNE_INLINE u64 dense_place(const dense_groups_args& args, u64 value) {
  return value - args.least;
}

}  // namespace hash
