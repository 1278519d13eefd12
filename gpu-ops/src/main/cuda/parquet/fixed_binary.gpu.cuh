// GPU form: a warp takes a tile of values, neighbouring lanes neighbouring ones; included by
// fixed_binary.cuh only.
#pragma once

#include "parquet/stream.gpu.cuh"
#include "parquet/tiles.gpu.cuh"
#include "parquet/view.cuh"

namespace fixed_binary {

inline constexpr u32 kTileValues = 256;

ARIADNE_INLINE u64x2 view_of(const parquet_task& task, const parquet::stream_words& stream,
                             u64 offset) {
  const u32 first = stream.bits(offset * 8, task.width < 4 ? task.width * 8 : 32);
  if (task.width > column::kInlineLength) {
    return parquet::long_view(task.width, first, task.aux + offset);
  }
  const u64 second = task.width > 4 ? stream.bits(offset * 8 + 32, 32) : 0;
  const u64 third = task.width > 8 ? stream.bits(offset * 8 + 64, 32) : 0;
  return parquet::short_view(task.width, second << 32 | first, third);
}

ARIADNE_FUNCTION void run(const parquet_fixed_binary_args& args) {
  const auto tile_values = [](const parquet_task&) { return kTileValues; };
  parquet::for_tiles(args, tile_values, [&](const parquet_task& task, u32 number, u32 first) {
    const u32 lane = target::lane_index();
    if (!is_valid(task, args.status, number, lane == 0)) {
      return;
    }
    const parquet::stream_words stream(task);
    u64x2* const out = static_cast<u64x2*>(task.out);
    const u32 end = task.count - first < kTileValues ? task.count : first + kTileValues;
    for (u32 i = first + lane; i < end; i += target::kWarpSize) {
      const u64 offset = (static_cast<u64>(task.skip) + i) * task.width;
      target::store(out + i, view_of(task, stream, offset));
    }
  });
}

}  // namespace fixed_binary
