// GPU form of sort_ties: one pass of a merge sort, a row per thread.
#pragma once

namespace sort {

// Rows of [first, end) that come before `row`; of equal ones too if `after_equal`.
ARIADNE_INLINE u32 rows_before(const sort_ties_args& args, u32 first, u32 end, u32 row,
                               bool after_equal) {
  const u32 start = first;
  while (first < end) {
    const u32 middle = first + (end - first) / 2;
    const i32 order = compare_rows(args, target::load_ro(args.row_numbers + middle), row);
    if (order < 0 || (after_equal && order == 0)) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first - start;
}

ARIADNE_FUNCTION void sort_ties(const sort_ties_args& args) {
  const u64 stride = u64{target::grid_size()} * target::block_size();
  for (u64 at = u64{target::block_index()} * target::block_size() + target::thread_index();
       at < args.rows; at += stride) {
    const u32 i = static_cast<u32>(at);
    const u32 row = target::load_ro(args.row_numbers + i);
    const u32 pair = i / args.width / 2 * 2 * args.width;
    const u32 middle = args.rows - pair < args.width ? args.rows : pair + args.width;
    const u32 end = args.rows - middle < args.width ? args.rows : middle + args.width;
    const u32 place = i < middle ? i + rows_before(args, middle, end, row, false)
                                 : pair + (i - middle) + rows_before(args, pair, middle, row, true);
    target::store(args.sorted + place, row);
  }
}

}  // namespace sort
