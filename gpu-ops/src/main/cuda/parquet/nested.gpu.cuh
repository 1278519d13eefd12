// GPU form; included by nested.cuh only.
#pragma once

#include "pattern/block_scan.gpu.cuh"
#include "pattern/look_back.gpu.cuh"

namespace nested {

inline constexpr u32 kItems = 4;  // entries per thread: a warp has 4 * 32 that follow each other

struct scratch {
  pattern::block_sum_scratch<u64> sums;
  u64 before_tile;
  u32 slot;
};

// One entry per lane, and which lanes are what.
struct entries {
  u32 slots;
  u32 elements;
  u32 valid;
};

ARIADNE_INLINE u32 level(const u8* levels, u32 entry) {
  return levels == nullptr ? 0 : target::load_ro(levels + entry);
}

ARIADNE_INLINE entries load_entries(const parquet_nested_args& args, u32 entry) {
  const bool is_there = entry < args.count;
  const u32 at = is_there ? entry : args.count - 1;
  const u32 repetition = level(args.repetition, at);
  const u32 definition = level(args.definition, at);
  const u32 previous = level(args.definition, at == 0 ? 0 : at - 1);
  const bool is_first = at == 0 && is_wrong_start(args, repetition);
  if (is_there && (is_first || is_wrong(args, repetition, definition, previous))) {
    status::raise(args.status, entry, 0, PARQUET_ERROR_LEVEL);
  }
  const bool is_own_slot = is_there && is_slot(args, repetition, definition);
  return {target::ballot(is_own_slot),
          target::ballot(is_there && is_element(args, repetition, definition)),
          target::ballot(is_own_slot && definition >= args.valid_definition)};
}

// ORs the validity of the slots of 32 entries in, from bit `at` on.
ARIADNE_INLINE void append_validity(const parquet_nested_args& args, const entries& e, u32 at) {
  const u32 lane = target::lane_index();
  const u32 rank = static_cast<u32>(__builtin_popcount(e.slots & ((1u << lane) - 1)));
  u32 bits = (e.valid >> lane & 1) << rank;
#pragma unroll
  for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
    bits |= target::shuffle_xor(bits, distance);
  }
  const u64 shifted = static_cast<u64>(bits) << at % 32;
  const u32 word = lane == 0 ? static_cast<u32>(shifted) : static_cast<u32>(shifted >> 32);
  if (lane < 2 && word != 0) {
    u32* words = reinterpret_cast<u32*>(args.validity) + at / 32 + lane;
    target::atomic_or<target::order::relaxed>(words, word);
  }
}

// What a warp does with its entries once it knows the counts before them.
ARIADNE_INLINE void write_entries(const parquet_nested_args& args, const entries* e, u64 before) {
  const u32 below = (1u << target::lane_index()) - 1;
  u32 elements = static_cast<u32>(before & ((u64{1} << kCountBits) - 1));
  u32 slots = static_cast<u32>(before >> kCountBits);
#pragma unroll
  for (u32 k = 0; k < kItems; k++) {
    if (args.offsets != nullptr && (e[k].slots >> target::lane_index() & 1) != 0) {
      const u32 slot = slots + static_cast<u32>(__builtin_popcount(e[k].slots & below));
      const u32 offset = elements + static_cast<u32>(__builtin_popcount(e[k].elements & below));
      target::store(args.offsets + slot, static_cast<i32>(offset));
    }
    if (args.validity != nullptr) {
      append_validity(args, e[k], slots);
    }
    slots += static_cast<u32>(__builtin_popcount(e[k].slots));
    elements += static_cast<u32>(__builtin_popcount(e[k].elements));
  }
}

ARIADNE_INLINE void run_tile(const parquet_nested_args& args, u32 tile, u32 tiles,
                             scratch& shared) {
  const u32 warp_first = (tile * target::block_size() + target::warp_index() * 32) * kItems;
  entries e[kItems];
  u32 slots = 0;
  u32 elements = 0;
  u32 valid = 0;
#pragma unroll
  for (u32 k = 0; k < kItems; k++) {
    e[k] = load_entries(args, warp_first + k * 32 + target::lane_index());
    slots += static_cast<u32>(__builtin_popcount(e[k].slots));
    elements += static_cast<u32>(__builtin_popcount(e[k].elements));
    valid += static_cast<u32>(__builtin_popcount(e[k].valid));
  }
  const u64 own = static_cast<u64>(slots) << kCountBits | elements;
  u64 total;
  u64 before =
      pattern::block_exclusive_sum(target::lane_index() == 0 ? own : u64{0}, shared.sums, total);
  before = target::shuffle(before, 0);
  if (target::warp_index() == 0) {
    const u64 found = pattern::look_back(args.workspace, tile, total);
    if (target::lane_index() == 0) {
      shared.before_tile = found;
    }
  }
  if (target::lane_index() == 0 && valid != 0) {
    target::atomic_add<target::order::relaxed>(&args.status->detail[1], static_cast<u64>(valid));
  }
  target::block_barrier();
  write_entries(args, e, shared.before_tile + before);
  if (tile == tiles - 1 && target::thread_index() == 0) {
    const u64 all = shared.before_tile + total;
    finish(args, static_cast<u32>(all >> kCountBits),
           static_cast<u32>(all & ((u64{1} << kCountBits) - 1)));
  }
}

ARIADNE_FUNCTION void run(const parquet_nested_args& args) {
  ARIADNE_SHARED(scratch, shared);
  const u32 tile_entries = target::block_size() * kItems;
  const u32 tiles = args.count / tile_entries + (args.count % tile_entries != 0 ? 1 : 0);
  if (args.count == 0 && target::block_index() == 0 && target::thread_index() == 0) {
    finish(args, 0, 0);
  }
  for (u32 tile = pattern::take_tile(args.workspace, shared.slot); tile < tiles;
       tile = pattern::take_tile(args.workspace, shared.slot)) {
    run_tile(args, tile, tiles, shared);
  }
}

}  // namespace nested
