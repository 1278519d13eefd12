// GPU form of sort_order. A tile is ORDER_TILE_ROWS neighbouring elements; each warp of its block
// has a contiguous part of it, which it goes through in order: so equal digits keep their order.
#pragma once

#include "pattern/block_scan.gpu.cuh"

namespace sort {

inline constexpr u32 kDigits = 1u << ORDER_DIGIT_BITS;
inline constexpr u32 kBlock = 256;
inline constexpr u32 kWarps = kBlock / target::kWarpSize;
inline constexpr u32 kItems = ORDER_TILE_ROWS / kBlock;

struct order_scratch {
  // Per warp the digits, then what lies before its first one; last those of no row.
  u32 counts[kWarps][kDigits + 1];
};

ARIADNE_INLINE u32 tiles_of(const sort_order_args& args) {
  return (args.rows + ORDER_TILE_ROWS - 1) / ORDER_TILE_ROWS;
}

ARIADNE_INLINE u32 digit_of(const sort_order_args& args, u64 key) {
  return static_cast<u32>(key >> args.shift) & (kDigits - 1);
}

// The row of this lane's item of a tile.
ARIADNE_INLINE u64 item_row(u32 tile, u32 item) {
  return u64{tile} * ORDER_TILE_ROWS + target::warp_index() * (kItems * target::kWarpSize) +
         item * target::kWarpSize + target::lane_index();
}

ARIADNE_INLINE u64x2 element_at(const sort_order_args& args, u64 row) {
  return target::load_ro(reinterpret_cast<const u64x2*>(args.elements) + row);
}

template <typename Step>
ARIADNE_INLINE void for_elements(const sort_order_args& args, Step step) {
  const u64 stride = u64{target::grid_size()} * target::block_size();
  for (u64 i = u64{target::block_index()} * target::block_size() + target::thread_index();
       i < args.rows; i += stride) {
    step(static_cast<u32>(i));
  }
}

ARIADNE_INLINE void load_elements(const sort_order_args& args) {
  for_elements(args, [&](u32 i) {
    const u32 row = args.is_first != 0 ? i : target::load_ro(args.row_numbers + i);
    const u64x2 element = {target::load_ro(args.keys + row), row};
    target::store(reinterpret_cast<u64x2*>(args.elements) + i, element);
  });
}

ARIADNE_INLINE void clear(order_scratch& scratch) {
  for (u32 i = target::thread_index(); i < kWarps * (kDigits + 1); i += kBlock) {
    scratch.counts[i / (kDigits + 1)][i % (kDigits + 1)] = 0;
  }
  target::block_barrier();
}

// Counts this warp's digits of a tile; ranks[item] = elements of the warp before this one that have
// the same digit.
ARIADNE_INLINE void rank_tile(const sort_order_args& args, u32 tile, order_scratch& scratch,
                              u32 (&ranks)[kItems]) {
  u32* const counts = scratch.counts[target::warp_index()];
  const u32 below = (1u << target::lane_index()) - 1;
#pragma unroll
  for (u32 item = 0; item < kItems; item++) {
    const u64 row = item_row(tile, item);
    const u64 key = element_at(args, row < args.rows ? row : 0)[0];
    const u32 digit = row < args.rows ? digit_of(args, key) : kDigits;
    const u32 same = target::match_any(digit);
    ranks[item] = counts[digit] + static_cast<u32>(__builtin_popcount(same & below));
    target::warp_barrier();
    if ((same & below) == 0) {
      counts[digit] += static_cast<u32>(__builtin_popcount(same));
    }
    target::warp_barrier();
  }
  target::block_barrier();
}

ARIADNE_INLINE void count_digits(const sort_order_args& args) {
  ARIADNE_SHARED(order_scratch, scratch);
  const u32 tiles = tiles_of(args);
  for (u32 tile = target::block_index(); tile < tiles; tile += target::grid_size()) {
    clear(scratch);
    u32 ranks[kItems];
    rank_tile(args, tile, scratch, ranks);
    u32 sum = 0;
    for (u32 warp = 0; warp < kWarps; warp++) {
      sum += scratch.counts[warp][target::thread_index()];
    }
    args.counts[u64{target::thread_index()} * tiles + tile] = sum;
    target::block_barrier();
  }
}

ARIADNE_INLINE void place_digits(const sort_order_args& args) {
  ARIADNE_SHARED(pattern::block_sum_scratch<u32>, scratch);
  if (target::block_index() != 0) {
    return;
  }
  const u32 end = tiles_of(args) * kDigits;
  u32 sum = 0;
  for (u32 first = 0; first < end; first += kBlock) {
    const u32 i = first + target::thread_index();
    const u32 count = i < end ? args.counts[i] : 0;
    u32 total;
    const u32 before = pattern::block_exclusive_sum(count, scratch, total);
    if (i < end) {
      args.counts[i] = sum + before;
    }
    sum += total;
    target::block_barrier();
  }
}

ARIADNE_INLINE void scatter_elements(const sort_order_args& args) {
  ARIADNE_SHARED(order_scratch, scratch);
  const u32 tiles = tiles_of(args);
  for (u32 tile = target::block_index(); tile < tiles; tile += target::grid_size()) {
    clear(scratch);
    u32 ranks[kItems];
    rank_tile(args, tile, scratch, ranks);
    const u32 digit = target::thread_index();
    u32 place = target::load_ro(args.counts + u64{digit} * tiles + tile);
    for (u32 warp = 0; warp < kWarps; warp++) {
      const u32 count = scratch.counts[warp][digit];
      scratch.counts[warp][digit] = place;
      place += count;
    }
    target::block_barrier();
#pragma unroll
    for (u32 item = 0; item < kItems; item++) {
      const u64 row = item_row(tile, item);
      if (row < args.rows) {
        const u64x2 element = element_at(args, row);
        const u32 first = scratch.counts[target::warp_index()][digit_of(args, element[0])];
        target::store(reinterpret_cast<u64x2*>(args.sorted) + first + ranks[item], element);
      }
    }
    target::block_barrier();
  }
}

ARIADNE_INLINE void store_rows(const sort_order_args& args) {
  for_elements(args, [&](u32 i) {
    target::store(args.row_numbers + i, static_cast<u32>(element_at(args, i)[1]));
  });
}

ARIADNE_FUNCTION void order(const sort_order_args& args) {
  switch (args.phase) {
    case ORDER_LOAD:
      load_elements(args);
      break;
    case ORDER_COUNT:
      count_digits(args);
      break;
    case ORDER_PLACE:
      place_digits(args);
      break;
    case ORDER_SCATTER:
      scatter_elements(args);
      break;
    case ORDER_STORE:
      store_rows(args);
      break;
    default:
      break;
  }
}

}  // namespace sort
