// GPU form; included by convert_binary.cuh only.
#pragma once

namespace convert {

inline constexpr u32 kTileViews = 128;

template <typename Out>
ARIADNE_FUNCTION void run_views(const parquet_convert_binary_args& args) {
  const u128 factor = element::long_power_of_ten(args.scale).value;
  const auto tile_views = [](const parquet_task&) { return kTileViews; };
  parquet::for_tiles(args, tile_views, [&](parquet_task task, u32 number, u32 first) {
    task.width = sizeof(string_view);
    if (is_valid(task, args.status, number, true, first == 0 && target::lane_index() == 0)) {
      const u32 end = task.count - first < kTileViews ? task.count : first + kTileViews;
      for (u32 i = first + target::lane_index(); i < end; i += target::kWarpSize) {
        convert_one<Out>(args, task, number, factor, i);
      }
    }
  });
}

}  // namespace convert
