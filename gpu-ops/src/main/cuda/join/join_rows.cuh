#pragma once

#include "column/gather.cuh"
#include "hash/group_assign.cuh"

// join_rows turns groups of equal keys into pairs of rows. The build side's rows have been given
// groups by group_assign, those of a probe batch by group_find.
//
// Build, once: JOIN_COUNT adds up how many rows each group has, JOIN_STARTS makes of that where
// their numbers begin, JOIN_PLACE puts the numbers there, those of a group in any order. Not needed
// when every group has one row: groups are numbered in the order of their first rows, so that the
// group then is the row, which `starts` being null says.
//
// Probe, per batch: JOIN_MATCHES counts the pairs before each row, JOIN_EXPAND lists any part of
// them. JOIN_FLAG sets a bit for each row that has a pair, JOIN_MARK one for each row in a
// list, both beside those that are set; JOIN_INVERT turns the bits of all rows around.
enum join_phase : u32 {
  JOIN_COUNT = 0,
  JOIN_STARTS = 1,
  JOIN_PLACE = 2,
  JOIN_MATCHES = 3,  // status.rows_out = pairs of all rows
  JOIN_EXPAND = 4,
  JOIN_FLAG = 5,
  JOIN_MARK = 6,
  JOIN_INVERT = 7,
};

enum join_flag : u32 {
  JOIN_OUTER = 1,        // JOIN_MATCHES, JOIN_EXPAND: a row without a pair has one with a null row
  JOIN_NULLS_MATCH = 2,  // JOIN_FLAG: a null key counts as a pair
};

// Arguments of kernel join_rows. It raises no errors.
struct join_rows_args {
  kernel_status* status;
  const u32* groups;  // of each row; of probe rows also GROUP_NONE and GROUP_NULL_KEY
  u32* counts;        // rows of each group; zero before JOIN_COUNT, and after JOIN_STARTS again
  u32* starts;        // group_count + 1 entries; null: every group has one row, of its own number
  u32* build_rows;    // rows in the order of their groups
  u64* offsets;       // rows + 1 entries: pairs before each row, and of all
  u32* probe_index;   // JOIN_EXPAND: out; JOIN_MARK: pair_count rows, whose bits are set
  u32* build_index;   // out; GATHER_NULL_INDEX where the row has no pair
  u32* bits;          // JOIN_FLAG, JOIN_MARK: bits are added
  u64* workspace;     // GPU, JOIN_STARTS and JOIN_MATCHES: zeroed words, 1 + ceil(n / 1024)
  u64 first_pair;     // JOIN_EXPAND: the first pair to list
  u32 pair_count;     // how many
  u32 phase;          // join_phase
  u32 rows;
  u32 group_count;
  u32 flags;  // join_flag
  u32 reserved;
};

namespace join {

ARIADNE_INLINE bool has_group(u32 group) { return group < GROUP_NULL_KEY; }

// Pairs of a row of this group.
ARIADNE_INLINE u32 pairs_of(const join_rows_args& args, u32 group) {
  if (!has_group(group)) {
    return args.flags & JOIN_OUTER;
  }
  return args.starts == nullptr
             ? 1
             : target::load_ro(args.starts + group + 1) - target::load_ro(args.starts + group);
}

// Build row of a pair of a row of this group.
ARIADNE_INLINE u32 build_row(const join_rows_args& args, u32 group, u32 pair) {
  if (!has_group(group)) {
    return GATHER_NULL_INDEX;
  }
  return args.starts == nullptr
             ? group
             : target::load_ro(args.build_rows + target::load_ro(args.starts + group) + pair);
}

// The bit of a row of this group.
ARIADNE_INLINE bool is_flagged(const join_rows_args& args, u32 group) {
  return has_group(group) || (group == GROUP_NULL_KEY && (args.flags & JOIN_NULLS_MATCH) != 0);
}

// A word of bits turned around, those behind the last row zero.
ARIADNE_INLINE u32 inverted(const join_rows_args& args, u32 word) {
  const u32 rest = args.rows - word * 32;
  return ~args.bits[word] & (rest < 32 ? (u32{1} << rest) - 1 : ~u32{0});
}

// The row a pair belongs to: the last one with no more pairs before it.
ARIADNE_INLINE u32 row_of(const join_rows_args& args, u64 pair) {
  u32 low = 0;
  u32 high = args.rows - 1;
  while (low < high) {
    const u32 middle = low + (high - low + 1) / 2;
    if (target::load_ro(args.offsets + middle) <= pair) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace join
