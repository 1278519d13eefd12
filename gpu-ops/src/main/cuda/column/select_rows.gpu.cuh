// GPU form; included by select_rows.cuh only.
#pragma once

#include "pattern/block_scan.gpu.cuh"
#include "pattern/look_back.gpu.cuh"

namespace selection {

inline constexpr u32 kMaxBlock = 256;
inline constexpr u32 kStagedWords = 8;  // mask words whose row numbers a warp collects at a time
inline constexpr u32 kSectorRows = 8;   // row numbers in the 32 bytes that memory moves at a time

struct select_scratch {
  pattern::block_sum_scratch<u32> sums;
  u32 before_tile;
  u32 slot;
  u32 staged[kMaxBlock][kStagedWords];  // of a warp: kStagedWords * 32 row numbers
};

// The mask of 32 rows with nulls and what lies behind the last row cleared.
ARIADNE_INLINE u32 live_word(const select_rows_args& args, u32 word) {
  if (word >= (args.rows + 31) / 32) {
    return 0;
  }
  u32 bits = target::load_ro(reinterpret_cast<const u32*>(args.mask) + word);
  if (args.validity != nullptr) {
    bits &= target::load_ro(reinterpret_cast<const u32*>(args.validity) + word);
  }
  const u32 rest = args.rows - word * 32;
  return rest < 32 ? bits & ((1u << rest) - 1) : bits;
}

// Writes the warp's numbers: its lanes hold one mask word each, and the count of rows before it.
// Numbers are collected in shared memory and then written from one sector's beginning to the
// next's, whatever the mask.
ARIADNE_INLINE void write_warp(const select_rows_args& args, u32 first_word, u32 bits, u32 before,
                               u32* staged) {
  const u32 lane = target::lane_index();
  const u32 after = before + static_cast<u32>(__builtin_popcount(bits));
  for (u32 group = 0; group < target::kWarpSize; group += kStagedWords) {
    const u32 first = target::shuffle(before, group);
    const u32 count = target::shuffle(after, group + kStagedWords - 1) - first;
    for (u32 i = group; i < group + kStagedWords; i++) {
      const u32 word = target::shuffle(bits, i);
      const u32 at = target::shuffle(before, i) - first +
                     static_cast<u32>(__builtin_popcount(word & ((1u << lane) - 1)));
      if ((word >> lane & 1) != 0) {
        staged[at] = (first_word + i) * 32 + lane;
      }
    }
    target::warp_barrier();
    const u32 skipped = first % kSectorRows;
    for (u32 at = 0; at < skipped + count; at += target::kWarpSize) {
      const u32 i = at + lane - skipped;  // wraps around, to no index, below the first
      if (i < count) {
        target::store(args.indices + first + i, staged[i]);
      }
      target::warp_barrier();
    }
  }
}

ARIADNE_INLINE void select_tile(const select_rows_args& args, u32 tile, u32 tiles,
                                select_scratch& scratch) {
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
  write_warp(args, word - target::lane_index(), bits, before_tile + before,
             scratch.staged[target::warp_index() * target::kWarpSize]);
  if (tile == tiles - 1 && target::thread_index() == 0) {
    args.status->rows_out = before_tile + total;
  }
}

ARIADNE_FUNCTION void run(const select_rows_args& args) {
  ARIADNE_SHARED(select_scratch, scratch);
  const u32 tile_rows = target::block_size() * 32;
  const u32 tiles = (args.rows + tile_rows - 1) / tile_rows;
  for (u32 tile = pattern::take_tile(args.workspace, scratch.slot); tile < tiles;
       tile = pattern::take_tile(args.workspace, scratch.slot)) {
    select_tile(args, tile, tiles, scratch);
  }
}

}  // namespace selection
