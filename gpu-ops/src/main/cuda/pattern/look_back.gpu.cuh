// Single-pass prefix sums across blocks: decoupled look-back.
//
// Tiles are handed out by a ticket, so a tile only ever waits for tiles that have started: the
// launch makes progress with any grid and in any order of blocks. A tile publishes its own sum,
// then adds up the sums of its predecessors until it reaches a tile that already knows its whole
// prefix. One 64-bit word holds flag and value, so relaxed accesses suffice; no other memory is
// published through it.
//
// Source: D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
// NVIDIA Technical Report NVR-2016-002.
#pragma once

#include "pattern/warp.gpu.cuh"
#include "target/target.cuh"

namespace pattern {

// Workspace of one launch in words: one ticket and one word per tile, all zero before the launch.
ARIADNE_INLINE u64 look_back_words(u32 tiles) { return u64{1} + tiles; }

enum class look_back_flag : u64 { nothing = 0, sum = 1, prefix = 2 };

inline constexpr u32 kLookBackFlagShift = 62;
inline constexpr u64 kLookBackValueMask = (u64{1} << kLookBackFlagShift) - 1;

ARIADNE_INLINE u64 look_back_word(look_back_flag flag, u64 value) {
  return static_cast<u64>(flag) << kLookBackFlagShift | (value & kLookBackValueMask);
}

// Next tile of the launch, the same in every thread of the block; at or above the tile count when
// there is none left. Holds two barriers, so `slot` may be reused for the next call.
ARIADNE_FUNCTION u32 take_tile(u64* workspace, u32& slot) {
  target::block_barrier();
  if (target::thread_index() == 0) {
    slot = static_cast<u32>(target::atomic_add<target::order::relaxed>(workspace, u64{1}));
  }
  target::block_barrier();
  return slot;
}

// Sum of the values of all tiles before `tile`, whose own is `sum`. Called by one whole warp of the
// block, all lanes with equal arguments; all get the result. Values are below 2^62.
ARIADNE_FUNCTION u64 look_back(u64* workspace, u32 tile, u64 sum) {
  u64* const tiles = workspace + 1;
  const u32 lane = target::lane_index();
  if (lane == 0) {
    const look_back_flag flag = tile == 0 ? look_back_flag::prefix : look_back_flag::sum;
    target::atomic_store<target::order::relaxed>(tiles + tile, look_back_word(flag, sum));
  }
  u64 before = 0;
  for (u32 end = tile; end > 0;) {  // tiles below `end` are still to be added
    const bool has_tile = lane < end;
    u64 word = look_back_word(look_back_flag::prefix, 0);
    if (has_tile) {
      word = target::atomic_load<target::order::relaxed>(tiles + end - 1 - lane);
    }
    const u64 flag = word >> kLookBackFlagShift;
    if (target::any(flag == static_cast<u64>(look_back_flag::nothing))) {
      target::spin_pause();
      continue;
    }
    const u32 prefixes = target::ballot(flag == static_cast<u64>(look_back_flag::prefix));
    const u32 last = prefixes == 0 ? target::kWarpSize - 1 : __builtin_ctz(prefixes);
    before += warp_sum(lane <= last ? word & kLookBackValueMask : u64{0});
    end = prefixes != 0 || end <= target::kWarpSize ? 0 : end - target::kWarpSize;
  }
  if (lane == 0 && tile != 0) {
    target::atomic_store<target::order::relaxed>(
        tiles + tile, look_back_word(look_back_flag::prefix, before + sum));
  }
  return before;
}

}  // namespace pattern
