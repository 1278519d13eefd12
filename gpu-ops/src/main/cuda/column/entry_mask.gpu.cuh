// GPU form; included by entry_mask.cuh only. A warp takes 256 rows, lane k keeps the word of item
// k.
#pragma once

namespace entries {

inline constexpr u32 kItems = 8;
inline constexpr u32 kWarpRows = kItems * target::kWarpSize;

ARIADNE_FUNCTION void run(const entry_mask_args& args) {
  const u32 lane = target::lane_index();
  const u32 warps = target::block_size() / target::kWarpSize;
  const u64 stride = static_cast<u64>(target::grid_size()) * warps * kWarpRows;
  const u32 warp = target::block_index() * warps + target::warp_index();
  for (u64 first = static_cast<u64>(warp) * kWarpRows; first < args.rows; first += stride) {
    u32 own = 0;
    for (u32 k = 0; k < kItems; k++) {
      const u64 row = first + k * target::kWarpSize + lane;
      const bool is_true =
          row < args.rows && target::load_ro(args.truths + target::load_ro(args.codes + row)) != 0;
      const u32 word = target::ballot(is_true);
      own = lane == k ? word : own;
    }
    if (lane < kItems && first + lane * target::kWarpSize < args.rows) {
      target::store(reinterpret_cast<u32*>(args.mask) + first / 32 + lane, own);
    }
  }
}

}  // namespace entries
