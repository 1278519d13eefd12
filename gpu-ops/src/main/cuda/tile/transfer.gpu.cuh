// Loads, the filter, errors and stores of a tile program on the GPU.
#pragma once

#include "element/floating.cuh"
#include "pattern/look_back.gpu.cuh"
#include "tile/lanes.gpu.cuh"

namespace tile {

// r[dst] = widened values of a column
template <typename In>
ARIADNE_INLINE void load_values(const gpu_tile& tile, u32 dst, const void* data, u32 rows) {
  const In* in = static_cast<const In*>(data);
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    const u32 row = tile.row(j);
    const In value = row < rows ? target::load_ro(in + row) : In{};
    if constexpr (__is_same(In, f32)) {
      tile.lane(dst, j) = to_lane(static_cast<f64>(value));
    } else {
      tile.lane(dst, j) = value;
    }
  }
}

// Words 0 to 2 * Pairs - 1 of records of Pairs 16-byte pairs, one register per word; the last word
// of a record of two pairs is not loaded.
template <u32 Pairs>
ARIADNE_INLINE void load_pairs(const gpu_tile& tile, u32 dst, const void* data, u32 rows) {
  const u64x2* in = static_cast<const u64x2*>(data);
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    const u32 row = tile.row(j);
#pragma unroll
    for (u32 pair = 0; pair < Pairs; pair++) {
      const u64x2 words =
          row < rows ? target::load_ro(in + static_cast<u64>(row) * Pairs + pair) : u64x2{0, 0};
      tile.lane(dst + 2 * pair, j) = static_cast<i64>(words.x);
      if (pair == 0) {
        tile.lane(dst + 1, j) = static_cast<i64>(words.y);
      }
    }
  }
}

ARIADNE_INLINE void load_bits(const gpu_tile& tile, u32 dst, const void* bitmap, u32 rows) {
  const u32* in = static_cast<const u32*>(bitmap);
  u32 bits = in == nullptr ? 0xff : 0;
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    const u32 row = tile.row(j);
    if (in != nullptr && row < rows) {
      bits |= (target::load_ro(in + row / 32) >> row % 32 & 1) << j;
    }
  }
  tile.mask(dst) = static_cast<u8>(bits);
}

// r[dst] = widened entries of a dictionary, by the codes in r[dst]; those of rows that do not exist
// are 0.
template <typename In>
ARIADNE_INLINE void load_entries(const gpu_tile& tile, u32 dst, const void* entries) {
  const In* in = static_cast<const In*>(entries);
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    const In value = target::load_ro(in + static_cast<u32>(tile.lane(dst, j)));
    if constexpr (__is_same(In, f32)) {
      tile.lane(dst, j) = to_lane(static_cast<f64>(value));
    } else if constexpr (__is_same(In, u64x2)) {
      tile.lane(dst, j) = static_cast<i64>(value.x);
      tile.lane(dst + 1, j) = static_cast<i64>(value.y);
    } else {
      tile.lane(dst, j) = value;
    }
  }
}

ARIADNE_INLINE void load_entry_bits(const gpu_tile& tile, u32 dst, const u32* codes,
                                    const void* entries) {
  const u32* in = static_cast<const u32*>(entries);
  u32 bits = 0;
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    const u32 row = tile.row(j);
    if (row < tile.args.rows) {
      const u32 entry = target::load_ro(codes + row);
      bits |= (target::load_ro(in + entry / 32) >> entry % 32 & 1) << j;
    }
  }
  tile.mask(dst) = static_cast<u8>(bits);
}

// Loads of dictionary columns.
ARIADNE_INLINE bool run_coded_load(const gpu_tile& tile, const tile_instruction& code) {
  const void* codes = tile.args.inputs[code.a % TILE_MAX_INPUTS].data;
  const void* entries = tile.args.inputs[code.b % TILE_MAX_INPUTS].data;
  if (code.op == TILE_LOAD_BOOL) {
    load_entry_bits(tile, code.dst, static_cast<const u32*>(codes), entries);
    return true;
  }
  load_values<i32>(tile, code.dst, codes, tile.args.rows);
  switch (code.op) {
    case TILE_LOAD_I8:
      load_entries<i8>(tile, code.dst, entries);
      return true;
    case TILE_LOAD_I16:
      load_entries<i16>(tile, code.dst, entries);
      return true;
    case TILE_LOAD_I32:
      load_entries<i32>(tile, code.dst, entries);
      return true;
    case TILE_LOAD_F32:
      load_entries<f32>(tile, code.dst, entries);
      return true;
    case TILE_LOAD_I64:
    case TILE_LOAD_F64:
      load_entries<i64>(tile, code.dst, entries);
      return true;
    case TILE_LOAD_I128:
      load_entries<u64x2>(tile, code.dst, entries);
      return true;
    default:
      return false;
  }
}

ARIADNE_INLINE bool run_load(const gpu_tile& tile, const tile_instruction& code) {
  if (code.op <= TILE_LOAD_F64 && (code.flags & TILE_CODED) != 0) {
    return run_coded_load(tile, code);
  }
  const column_view& column = tile.args.inputs[code.a % TILE_MAX_INPUTS];
  const u32 rows = tile.args.rows;
  switch (code.op) {
    case TILE_LOAD_BOOL:
      load_bits(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_I8:
      load_values<i8>(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_I16:
      load_values<i16>(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_I32:
      load_values<i32>(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_F32:
      load_values<f32>(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_I64:
    case TILE_LOAD_F64:
      load_values<i64>(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_I128:
      load_pairs<1>(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_I192:
      load_pairs<2>(tile, code.dst, column.data, rows);
      return true;
    case TILE_LOAD_VALIDITY:
      load_bits(tile, code.dst, column.validity, rows);
      return true;
    default:
      return false;
  }
}

ARIADNE_INLINE void raise_where(const gpu_tile& tile, const tile_instruction& code) {
  const u32 failed = tile.mask(code.a) & tile.kept_items(code.mask);
  if (failed != 0) {
    const u64 row = tile.args.row_base + tile.row(static_cast<u32>(__builtin_ctz(failed)));
    status::raise(tile.args.status, row, code.aux, static_cast<u32>(code.imm));
  }
}

// Drops rows: finds the places of the rest and, when rows are stored, how many rows come before the
// tile's. All threads of the block call it.
ARIADNE_INLINE void apply_filter(const gpu_tile& tile, u32 mask, bool has_stores) {
  block_state& block = tile.block;
  const u32 lane = target::lane_index();
  const u32 warp = target::warp_index();
  const u32 counts = kItems * tile.warps();
  tile.items() = static_cast<u8>((tile.items() & tile.mask(mask)) | kFiltered);
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    const u32 kept = target::ballot(tile.is_kept(j));
    if (lane == 0) {
      block.place[j * tile.warps() + warp] = static_cast<u32>(__builtin_popcount(kept));
    }
  }
  target::block_barrier();
  if (warp == 0) {
    const u32 count = lane < counts ? block.place[lane] : 0;
    const u32 inclusive = pattern::warp_inclusive_sum(count);
    const u32 total = target::shuffle(inclusive, target::kWarpSize - 1);
    if (lane < counts) {
      block.place[lane] = inclusive - count;
    }
    u64 stored = 0;
    if (has_stores) {
      stored = pattern::look_back(static_cast<u64*>(tile.args.workspace), tile.index, total);
    }
    if (lane == 0) {
      block.stored = static_cast<u32>(stored);
      block.kept = total;
      target::atomic_add<target::order::relaxed>(&tile.args.status->rows_out, u64{total});
    }
  }
  target::block_barrier();
}

// out[place of the row] = f(item)
template <typename Out, typename F>
ARIADNE_INLINE void store_values(const gpu_tile& tile, void* data, F f) {
  Out* out = static_cast<Out*>(data);
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    const u32 kept = target::ballot(tile.is_kept(j));
    if (tile.is_kept(j)) {
      target::store(out + tile.first_place(j) + lanes_before(kept), f(j));
    }
  }
}

// The bits of the rows kept. A warp's rows of one item go to consecutive places: their bits are
// gathered in one word, which is or-ed into the one or two words of the bitmap where they belong.
ARIADNE_INLINE void store_bits(const gpu_tile& tile, void* bitmap, u32 mask) {
  u32* out = static_cast<u32*>(bitmap);
  const u32 bits = tile.mask(mask);
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    const u32 kept = target::ballot(tile.is_kept(j));
    const bool is_set = tile.is_kept(j) && (bits >> j & 1) != 0;
    u32 word = is_set ? 1u << lanes_before(kept) : 0;
#pragma unroll
    for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
      word |= target::shuffle_xor(word, distance);
    }
    if (target::lane_index() == 0 && word != 0) {
      const u32 place = tile.first_place(j);
      const u64 placed = static_cast<u64>(word) << place % 32;
      target::atomic_or<target::order::relaxed>(out + place / 32, static_cast<u32>(placed));
      if (placed >> 32 != 0) {
        target::atomic_or<target::order::relaxed>(out + place / 32 + 1,
                                                  static_cast<u32>(placed >> 32));
      }
    }
  }
}

ARIADNE_INLINE bool run_store(const gpu_tile& tile, const tile_instruction& code) {
  const tile_output& output = tile.args.outputs[code.dst % TILE_MAX_OUTPUTS];
  void* data = output.data;
  const u32 a = code.a;
  switch (code.op) {
    case TILE_STORE_BOOL:
      store_bits(tile, data, a);
      return true;
    case TILE_STORE_VALIDITY:
      store_bits(tile, output.validity, a);
      return true;
    case TILE_STORE_I8:
      store_values<i8>(tile, data, [&](u32 j) { return static_cast<i8>(tile.lane(a, j)); });
      return true;
    case TILE_STORE_I16:
      store_values<i16>(tile, data, [&](u32 j) { return static_cast<i16>(tile.lane(a, j)); });
      return true;
    case TILE_STORE_I32:
      store_values<i32>(tile, data, [&](u32 j) { return static_cast<i32>(tile.lane(a, j)); });
      return true;
    case TILE_STORE_I64:
      store_values<i64>(tile, data, [&](u32 j) { return tile.lane(a, j); });
      return true;
    case TILE_STORE_I128:
      store_values<u64x2>(tile, data, [&](u32 j) {
        return u64x2{static_cast<u64>(tile.lane(a, j)), static_cast<u64>(tile.lane(a + 1, j))};
      });
      return true;
    case TILE_STORE_F32:
      store_values<u32>(tile, data, [&](u32 j) {
        return element::canonical_float_bits(from_lane<f64>(tile.lane(a, j)));
      });
      return true;
    case TILE_STORE_F64:
      store_values<i64>(tile, data, [&](u32 j) {
        return element::canonical_bits(from_lane<f64>(tile.lane(a, j)));
      });
      return true;
    default:
      return false;
  }
}

}  // namespace tile
