// GPU form; included by string_offsets.cuh only.
#pragma once

#include "pattern/block_scan.gpu.cuh"
#include "pattern/look_back.gpu.cuh"

namespace strings {

inline constexpr u32 kItems = 4;
inline constexpr u32 kMaxBlock = 256;
inline constexpr u32 kSectorBytes = 32;  // what memory moves at a time; a byte for each lane

using offsets4 = u32x4;

struct offsets_scratch {
  u32 lengths[kMaxBlock * kItems];
  pattern::block_sum_scratch<u64> sums;
  u64 before_tile;
  u32 slot;
};

// Lengths of the tile to shared memory, neighbouring lanes reading neighbouring rows.
ARIADNE_INLINE void stage_lengths(const string_offsets_args& args, u32 first, u32* lengths) {
  for (u32 k = 0; k < kItems; k++) {
    const u32 at = k * target::block_size() + target::thread_index();
    lengths[at] = first + at < args.rows ? length(args, first + at) : 0;
  }
  target::block_barrier();
}

ARIADNE_INLINE void store_offsets(const string_offsets_args& args, u32 row, u64 before,
                                  const u32* lengths) {
  offsets4 offsets;
  for (u32 k = 0; k < kItems; k++) {
    offsets[k] = static_cast<u32>(before);
    before += lengths[k];
  }
  if (row + kItems <= args.rows) {
    target::store(reinterpret_cast<offsets4*>(args.offsets + row), offsets);
    return;
  }
  for (u32 k = 0; k < kItems && row + k < args.rows; k++) {
    target::store(args.offsets + row + k, static_cast<i32>(offsets[k]));
  }
}

// One tile: staged lengths, sum over the block, sum over the tiles before.
ARIADNE_INLINE void offset_tile(const string_offsets_args& args, u32 tile, u32 tiles,
                                offsets_scratch& scratch) {
  const u32 first = tile * target::block_size() * kItems;
  stage_lengths(args, first, scratch.lengths);
  const u32 own = target::thread_index() * kItems;
  u64 sum = 0;
  for (u32 k = 0; k < kItems; k++) {
    sum += scratch.lengths[own + k];
  }
  u64 total;
  const u64 before = pattern::block_exclusive_sum(sum, scratch.sums, total);
  if (target::warp_index() == 0) {
    const u64 found = pattern::look_back(args.workspace, tile, total);
    if (target::lane_index() == 0) {
      scratch.before_tile = found;
    }
  }
  target::block_barrier();
  store_offsets(args, first + own, scratch.before_tile + before, scratch.lengths + own);
  if (tile == tiles - 1 && target::thread_index() == 0) {
    finish(args, scratch.before_tile + total);
  }
}

ARIADNE_FUNCTION void make_offsets(const string_offsets_args& args) {
  ARIADNE_SHARED(offsets_scratch, scratch);
  const u32 tile_rows = target::block_size() * kItems;
  const u32 tiles = (args.rows + tile_rows - 1) / tile_rows;
  if (args.rows == 0 && target::block_index() == 0 && target::thread_index() == 0) {
    finish(args, 0);
  }
  for (u32 tile = pattern::take_tile(args.workspace, scratch.slot); tile < tiles;
       tile = pattern::take_tile(args.workspace, scratch.slot)) {
    offset_tile(args, tile, tiles, scratch);
  }
}

// What a warp knows of its 32 rows.
struct warp_rows {
  u32 at[target::kWarpSize + 1];        // offsets, and the end of the last row
  u32 inlined[target::kWarpSize][3];    // the bytes of short strings
  const u8* source[target::kWarpSize];  // of long strings; null: short
};

// The row, 0 to 31, that holds byte `position` of the output.
ARIADNE_INLINE u32 row_of(const warp_rows& rows, u32 position) {
  u32 row = 0;
#pragma unroll
  for (u32 step = target::kWarpSize / 2; step > 0; step /= 2) {
    row += rows.at[row + step] <= position ? step : 0;
  }
  return row;
}

// Loads a warp's offsets and views. The views of rows without bytes may be anything.
ARIADNE_INLINE void load_rows(const string_characters_args& args, u32 first, warp_rows& rows) {
  const u32 lane = target::lane_index();
  for (u32 i = lane; i <= target::kWarpSize; i += target::kWarpSize) {
    const u32 row = first + i < args.rows ? first + i : args.rows;
    rows.at[i] = static_cast<u32>(target::load_ro(args.offsets + row));
  }
  target::warp_barrier();
  const u32 row = first + lane < args.rows ? first + lane : args.rows - 1;
  const u32x4 view = target::load_ro(reinterpret_cast<const u32x4*>(args.views) + row);
  const bool is_long = view.x > column::kInlineLength && rows.at[lane + 1] > rows.at[lane];
  const u8* source = nullptr;
  if (is_long) {
    source = static_cast<const u8*>(target::load_ro(args.heaps + view.z)) + view.w;
  }
  rows.source[lane] = source;
  rows.inlined[lane][0] = view.y;
  rows.inlined[lane][1] = view.z;
  rows.inlined[lane][2] = view.w;
  target::warp_barrier();
}

// A warp's 32 rows, or those that are left: 32 bytes of the output at a time, those of one sector.
ARIADNE_INLINE void copy_rows(const string_characters_args& args, u32 first, warp_rows& rows) {
  load_rows(args, first, rows);
  const u32 begin = rows.at[0];
  const u32 end = rows.at[target::kWarpSize];
  for (u32 sector = begin / kSectorBytes * kSectorBytes; sector < end; sector += kSectorBytes) {
    const u32 position = sector + target::lane_index();
    if (position >= begin && position < end) {
      const u32 row = row_of(rows, position);
      const u32 at = position - rows.at[row];
      const u8* source = rows.source[row];
      const u8 byte = source == nullptr ? reinterpret_cast<const u8*>(rows.inlined[row])[at]
                                        : target::load_ro(source + at);
      target::store(args.out + position, byte);
    }
    target::warp_barrier();
  }
}

ARIADNE_FUNCTION void copy_characters(const string_characters_args& args) {
  ARIADNE_SHARED_ARRAY(warp_rows, scratch, kMaxBlock / target::kWarpSize);
  const u32 warps = target::block_size() / target::kWarpSize;
  const u64 stride = static_cast<u64>(target::grid_size()) * warps * target::kWarpSize;
  const u32 warp = target::block_index() * warps + target::warp_index();
  for (u64 first = static_cast<u64>(warp) * target::kWarpSize; first < args.rows; first += stride) {
    copy_rows(args, static_cast<u32>(first), scratch[target::warp_index()]);
  }
}

}  // namespace strings
