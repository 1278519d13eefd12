// Tiles of many tasks, shared out evenly; GPU form only.
#pragma once

#include "parquet/task.cuh"
#include "pattern/warp.gpu.cuh"

namespace parquet {

// Numbers of the warps of the launch.
ARIADNE_INLINE u32 launch_warp() {
  return target::block_index() * (target::block_size() / target::kWarpSize) + target::warp_index();
}
ARIADNE_INLINE u32 launch_warps() {
  return target::grid_size() * (target::block_size() / target::kWarpSize);
}

// Cuts every task into tiles of up to TileValues(task) values and calls body(task, number, first)
// with all lanes of a warp, `first` being the tile's first value. Each warp takes every n-th tile
// of the launch, so that one long task occupies all warps. `tile_values` is a function of the task.
template <typename Arguments, typename TileValues, typename Body>
ARIADNE_INLINE void for_tiles(const Arguments& args, TileValues tile_values, Body body) {
  const u32 lane = target::lane_index();
  u64 before = 0;  // tiles of the tasks before `first`
  u64 next = launch_warp();
  for (u32 first = 0; first < args.task_count; first += target::kWarpSize) {
    u32 tiles = 0;
    if (first + lane < args.task_count) {
      const parquet_task task = load_task(args.tasks, first + lane);
      const u32 values = tile_values(task);
      tiles = task.count / values + (task.count % values != 0 ? 1 : 0);
    }
    const u64 inclusive = pattern::warp_inclusive_sum(static_cast<u64>(tiles));
    const u64 total = target::shuffle(inclusive, target::kWarpSize - 1);
    for (; next < before + total; next += launch_warps()) {
      const u64 at = next - before;
      const u32 which = static_cast<u32>(__builtin_popcount(target::ballot(inclusive <= at)));
      const u64 task_tile = at - target::shuffle(inclusive - tiles, which);
      const parquet_task task = load_task(args.tasks, first + which);
      body(task, first + which, static_cast<u32>(task_tile) * tile_values(task));
    }
    before += total;
  }
}

}  // namespace parquet
