// join_rows on the GPU: a thread per group, row or pair; sums by one scan with look-back.
#pragma once

#include "join/join_rows.cuh"
#include "pattern/block_scan.gpu.cuh"
#include "pattern/look_back.gpu.cuh"

namespace join {

using target::order;

inline constexpr u32 kThreads = 256;
inline constexpr u32 kItems = 4;
inline constexpr u32 kTileRows = kThreads * kItems;

struct scan_scratch {
  pattern::block_sum_scratch<u64> sums;
  u64 tiles_before;
  u32 ticket;
};

ARIADNE_INLINE u32 first_index() {
  return target::block_index() * target::block_size() + target::thread_index();
}
ARIADNE_INLINE u32 index_step() { return target::grid_size() * target::block_size(); }

// Calls put(i, sum of value(k) for k < i) for every i up to count, itself included. All threads of
// the block call it.
template <typename Value, typename Put>
ARIADNE_INLINE void scan(const join_rows_args& args, u32 count, scan_scratch& scratch, Value value,
                         Put put) {
  const u32 tiles = (count + kTileRows - 1) / kTileRows;
  const u32 thread = target::thread_index();
  for (u32 tile = pattern::take_tile(args.workspace, scratch.ticket); tile < tiles;
       tile = pattern::take_tile(args.workspace, scratch.ticket)) {
    const u32 first = tile * kTileRows + thread;
    u64 before[kItems];
    u64 sum = 0;
#pragma unroll
    for (u32 j = 0; j < kItems; j++) {
      const u32 i = first + j * kThreads;
      u64 total;
      before[j] =
          sum + pattern::block_exclusive_sum(i < count ? value(i) : u64{0}, scratch.sums, total);
      sum += total;
      target::block_barrier();
    }
    if (target::warp_index() == 0) {
      const u64 prefix = pattern::look_back(args.workspace, tile, sum);
      if (target::lane_index() == 0) {
        scratch.tiles_before = prefix;
      }
    }
    target::block_barrier();
    const u64 tiles_before = scratch.tiles_before;
#pragma unroll
    for (u32 j = 0; j < kItems; j++) {
      const u32 i = first + j * kThreads;
      if (i < count) {
        put(i, tiles_before + before[j]);
      }
    }
    if (tile == tiles - 1 && thread == 0) {
      put(count, tiles_before + sum);
    }
  }
}

ARIADNE_INLINE void put_starts(const join_rows_args& args, scan_scratch& scratch) {
  scan(
      args, args.group_count, scratch, [&args](u32 group) { return u64{args.counts[group]}; },
      [&args](u32 group, u64 before) {
        args.starts[group] = static_cast<u32>(before);
        if (group < args.group_count) {
          args.counts[group] = 0;
        }
      });
}

ARIADNE_INLINE void count_pairs(const join_rows_args& args, scan_scratch& scratch) {
  scan(
      args, args.rows, scratch,
      [&args](u32 row) { return u64{pairs_of(args, target::load_ro(args.groups + row))}; },
      [&args](u32 row, u64 before) {
        args.offsets[row] = before;
        if (row == args.rows) {
          args.status->rows_out = before;
        }
      });
}

ARIADNE_INLINE void flag(const join_rows_args& args) {
  const u32 end = (args.rows + target::kWarpSize - 1) / target::kWarpSize * target::kWarpSize;
  for (u32 row = first_index(); row < end; row += index_step()) {
    const bool is_set = row < args.rows && is_flagged(args, target::load_ro(args.groups + row));
    const u32 word = target::ballot(is_set);
    if (target::lane_index() == 0) {
      args.bits[row / 32] |= word;
    }
  }
}

ARIADNE_INLINE void invert(const join_rows_args& args) {
  for (u32 word = first_index(); word < (args.rows + 31) / 32; word += index_step()) {
    args.bits[word] = inverted(args, word);
  }
}

ARIADNE_INLINE void expand_pair(const join_rows_args& args, u32 i) {
  const u64 pair = args.first_pair + i;
  const u32 row = row_of(args, pair);
  const u32 group = target::load_ro(args.groups + row);
  const u32 place = static_cast<u32>(pair - target::load_ro(args.offsets + row));
  args.probe_index[i] = row;
  args.build_index[i] = build_row(args, group, place);
}

ARIADNE_INLINE void for_rows(const join_rows_args& args) {
  for (u32 row = first_index(); row < args.rows; row += index_step()) {
    const u32 group = target::load_ro(args.groups + row);
    const u32 place = target::atomic_add<order::relaxed>(args.counts + group, u32{1});
    if (args.phase == JOIN_PLACE) {
      args.build_rows[target::load_ro(args.starts + group) + place] = row;
    }
  }
}

ARIADNE_INLINE void for_pairs(const join_rows_args& args) {
  for (u32 i = first_index(); i < args.pair_count; i += index_step()) {
    if (args.phase == JOIN_EXPAND) {
      expand_pair(args, i);
    } else {
      const u32 row = target::load_ro(args.probe_index + i);
      if (row < args.rows) {
        target::atomic_or<order::relaxed>(args.bits + row / 32, u32{1} << row % 32);
      }
    }
  }
}

ARIADNE_INLINE void run(const join_rows_args& args) {
  ARIADNE_SHARED(scan_scratch, scratch);
  switch (args.phase) {
    case JOIN_COUNT:
    case JOIN_PLACE:
      for_rows(args);
      break;
    case JOIN_STARTS:
      put_starts(args, scratch);
      break;
    case JOIN_MATCHES:
      count_pairs(args, scratch);
      break;
    case JOIN_EXPAND:
    case JOIN_MARK:
      for_pairs(args);
      break;
    case JOIN_FLAG:
      flag(args);
      break;
    case JOIN_INVERT:
      invert(args);
      break;
    default:
      break;
  }
}

}  // namespace join
