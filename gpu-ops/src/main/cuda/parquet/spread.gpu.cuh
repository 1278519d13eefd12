// GPU form; included by spread.cuh only.
#pragma once

#include "pattern/block_scan.gpu.cuh"
#include "pattern/look_back.gpu.cuh"

namespace spread {

struct spread_scratch {
  pattern::block_sum_scratch<u32> sums;
  u32 before_tile;
  u32 slot;
};

// The validity of 32 rows, what lies behind the last row cleared.
ARIADNE_INLINE u32 live_word(const parquet_spread_args& args, u32 word) {
  if (word >= (args.rows + 31) / 32) {
    return 0;
  }
  const u32 bits = target::load_ro(reinterpret_cast<const u32*>(args.validity) + word);
  const u32 rest = args.rows - word * 32;
  return rest < 32 ? bits & ((1u << rest) - 1) : bits;
}

// Raises an error at the first row of a word that has no value.
ARIADNE_INLINE void check_word(const parquet_spread_args& args, u32 word, u32 bits, u32 before) {
  const u32 left = before < args.dense_count ? args.dense_count - before : 0;
  if (static_cast<u32>(__builtin_popcount(bits)) <= left) {
    return;
  }
  for (u32 i = 0; i < left; i++) {
    bits &= bits - 1;
  }
  const u64 row = static_cast<u64>(word) * 32 + static_cast<u32>(__builtin_ctz(bits));
  status::raise(args.status, row, 0, PARQUET_ERROR_TRUNCATED);
}

// A warp's values: its lanes hold one validity word each, and the count of values before it.
template <typename T>
ARIADNE_INLINE void write_warp(const parquet_spread_args& args, u32 first_word, u32 bits,
                               u32 before) {
  const T* const dense = static_cast<const T*>(args.dense);
  T* const out = static_cast<T*>(args.out);
  const u32 lane = target::lane_index();
  for (u32 i = 0; i < target::kWarpSize; i++) {
    const u32 word = target::shuffle(bits, i);
    const u32 at = target::shuffle(before, i) + __builtin_popcount(word & ((1u << lane) - 1));
    const u64 row = static_cast<u64>(first_word + i) * 32 + lane;
    if (row < args.rows) {
      const bool has_value = (word >> lane & 1) != 0 && at < args.dense_count;
      target::store(out + row, has_value ? target::load_ro(dense + at) : T(0));
    }
  }
}

// Bits `at` to `at` + 31 of the dense booleans; those behind the last value are zero.
ARIADNE_INLINE u32 dense_word(const parquet_spread_args& args, u32 at) {
  const u32* const words = static_cast<const u32*>(args.dense);
  const u32 count = (args.dense_count + 31) / 32;
  const u32 word = at / 32;
  const u32 low = word < count ? target::load_ro(words + word) : 0;
  const u32 high = word + 1 < count ? target::load_ro(words + word + 1) : 0;
  return static_cast<u32>((static_cast<u64>(high) << 32 | low) >> at % 32);
}

// One word of 32 rows per thread.
ARIADNE_INLINE void write_bits(const parquet_spread_args& args, u32 word, u32 bits, u32 before) {
  if (word >= (args.rows + 63) / 64 * 2) {
    return;
  }
  u32 values = bits == 0 ? 0 : dense_word(args, before);
  u32 result = 0;
  for (u32 places = bits; places != 0; places &= places - 1, values >>= 1) {
    result |= (values & 1) != 0 ? places & (0 - places) : 0;
  }
  target::store(static_cast<u32*>(args.out) + word, result);
}

// One tile; write(word, bits, before) with this thread's validity word.
template <typename Write>
ARIADNE_INLINE void spread_tile(const parquet_spread_args& args, u32 tile, u32 tiles,
                                spread_scratch& scratch, Write write) {
  const u32 word = tile * target::block_size() + target::thread_index();
  const u32 bits = live_word(args, word);
  u32 total;
  const u32 before =
      pattern::block_exclusive_sum(static_cast<u32>(__builtin_popcount(bits)), scratch.sums, total);
  if (target::warp_index() == 0) {
    const u64 found = pattern::look_back(args.workspace, tile, total);
    if (target::lane_index() == 0) {
      scratch.before_tile = static_cast<u32>(found);
    }
  }
  target::block_barrier();
  const u32 before_tile = scratch.before_tile;
  check_word(args, word, bits, before_tile + before);
  write(word, bits, before_tile + before);
  if (tile == tiles - 1 && target::thread_index() == 0) {
    args.status->rows_out = before_tile + total;
  }
}

template <typename Write>
ARIADNE_INLINE void for_spread_tiles(const parquet_spread_args& args, Write write) {
  ARIADNE_SHARED(spread_scratch, scratch);
  const u32 tile_rows = target::block_size() * 32;
  const u32 tiles = (args.rows + tile_rows - 1) / tile_rows;
  for (u32 tile = pattern::take_tile(args.workspace, scratch.slot); tile < tiles;
       tile = pattern::take_tile(args.workspace, scratch.slot)) {
    spread_tile(args, tile, tiles, scratch, write);
  }
}

template <typename T>
ARIADNE_FUNCTION void run_values(const parquet_spread_args& args) {
  for_spread_tiles(args, [&](u32 word, u32 bits, u32 before) {
    write_warp<T>(args, word - target::lane_index(), bits, before);
  });
}

ARIADNE_FUNCTION void run_bits(const parquet_spread_args& args) {
  for_spread_tiles(args,
                   [&](u32 word, u32 bits, u32 before) { write_bits(args, word, bits, before); });
}

}  // namespace spread
