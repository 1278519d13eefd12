// Loads, the filter, errors and stores of a tile program on the host. Each run_ function runs one
// family of opcodes and returns whether the opcode was one of its own.
#pragma once

#include "element/floating.cuh"
#include "tile/lanes.host.cuh"

namespace tile {

// r[dst] = widened values of a column
template <typename In>
ARIADNE_INLINE void load_widened(host_tile& tile, u32 dst, const column_view& column) {
  const In* in = static_cast<const In*>(column.data) + tile.first_row;
  i64* out = tile.write(dst);
  const u32 rows = tile.rows;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < rows; i++) {
    if constexpr (__is_same(In, f32)) {
      out[i] = to_lane(static_cast<f64>(in[i]));
    } else {
      out[i] = in[i];
    }
  }
}

// A column of 64-bit values is the register, unless the loops would read past its last row.
ARIADNE_INLINE void load_in_place(host_tile& tile, u32 dst, const column_view& column) {
  const i64* in = static_cast<const i64*>(column.data) + tile.first_row;
  if (tile.rows % 64 == 0) {
    tile.lane[dst] = in;
  } else {
    __builtin_memcpy(tile.write(dst), in, tile.rows * sizeof(i64));
  }
}

// Words 0 to count-1 of records of `stride` words, one register per word.
ARIADNE_INLINE void load_words(host_tile& tile, u32 dst, const column_view& column, u32 count,
                               u32 stride) {
  const i64* in = static_cast<const i64*>(column.data) + static_cast<u64>(tile.first_row) * stride;
  const u32 rows = tile.rows;
  for (u32 word = 0; word < count; word++) {
    i64* out = tile.write(dst + word);
#pragma clang loop vectorize(assume_safety)
    for (u32 i = 0; i < rows; i++) {
      out[i] = in[i * stride + word];
    }
  }
}

ARIADNE_INLINE void load_bits(host_tile& tile, u32 dst, const void* bitmap) {
  const u64* in = static_cast<const u64*>(bitmap);
  u64* out = tile.mask(dst);
  for (u32 w = 0; w < tile.words; w++) {
    out[w] = in == nullptr ? ~0ull : in[tile.first_row / 64 + w];
  }
}

// r[dst] = widened entries of a dictionary, by the codes of a column
template <typename In>
ARIADNE_INLINE void load_entries(host_tile& tile, u32 dst, const u32* codes, const void* entries) {
  const In* in = static_cast<const In*>(entries);
  i64* out = tile.write(dst);
  const u32 rows = tile.rows;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < rows; i++) {
    if constexpr (__is_same(In, f32)) {
      out[i] = to_lane(static_cast<f64>(in[codes[i]]));
    } else {
      out[i] = in[codes[i]];
    }
  }
}

ARIADNE_INLINE void load_entry_pairs(host_tile& tile, u32 dst, const u32* codes,
                                     const void* entries) {
  const u64x2* in = static_cast<const u64x2*>(entries);
  i64* low = tile.write(dst);
  i64* high = tile.write(dst + 1);
  const u32 rows = tile.rows;
  for (u32 i = 0; i < rows; i++) {
    const u64x2 pair = in[codes[i]];
    low[i] = static_cast<i64>(pair.x);
    high[i] = static_cast<i64>(pair.y);
  }
}

// Rows after the last one have the bit of entry 0.
ARIADNE_INLINE void load_entry_bits(host_tile& tile, u32 dst, const u32* codes,
                                    const void* entries) {
  const u8* in = static_cast<const u8*>(entries);
  u64* out = tile.mask(dst);
  const u32 rows = tile.rows;
  for (u32 w = 0; w < tile.words; w++) {
    u8 truths[64];
    for (u32 k = 0; k < 64; k++) {
      const u32 row = w * 64 + k;
      const u32 entry = row < rows ? codes[row] : 0;
      truths[k] = in[entry / 8] >> entry % 8 & 1;
    }
    out[w] = pack_truths(truths);
  }
}

// Loads of dictionary columns.
static bool run_coded_load(host_tile& tile, const tile_program_args& args,
                           const tile_instruction& code) {
  const void* entries = args.inputs[code.b % TILE_MAX_INPUTS].data;
  const column_view& column = args.inputs[code.a % TILE_MAX_INPUTS];
  const u32* codes = static_cast<const u32*>(column.data) + tile.first_row;
  switch (code.op) {
    case TILE_LOAD_BOOL:
      load_entry_bits(tile, code.dst, codes, entries);
      return true;
    case TILE_LOAD_I8:
      load_entries<i8>(tile, code.dst, codes, entries);
      return true;
    case TILE_LOAD_I16:
      load_entries<i16>(tile, code.dst, codes, entries);
      return true;
    case TILE_LOAD_I32:
      load_entries<i32>(tile, code.dst, codes, entries);
      return true;
    case TILE_LOAD_F32:
      load_entries<f32>(tile, code.dst, codes, entries);
      return true;
    case TILE_LOAD_I64:
    case TILE_LOAD_F64:
      load_entries<i64>(tile, code.dst, codes, entries);
      return true;
    case TILE_LOAD_I128:
      load_entry_pairs(tile, code.dst, codes, entries);
      return true;
    default:
      return false;
  }
}

static bool run_load(host_tile& tile, const tile_program_args& args, const tile_instruction& code) {
  if (code.op <= TILE_LOAD_F64 && (code.flags & TILE_CODED) != 0) {
    return run_coded_load(tile, args, code);
  }
  const column_view& column = args.inputs[code.a % TILE_MAX_INPUTS];
  switch (code.op) {
    case TILE_LOAD_BOOL:
      load_bits(tile, code.dst, column.data);
      return true;
    case TILE_LOAD_I8:
      load_widened<i8>(tile, code.dst, column);
      return true;
    case TILE_LOAD_I16:
      load_widened<i16>(tile, code.dst, column);
      return true;
    case TILE_LOAD_I32:
      load_widened<i32>(tile, code.dst, column);
      return true;
    case TILE_LOAD_F32:
      load_widened<f32>(tile, code.dst, column);
      return true;
    case TILE_LOAD_I64:
    case TILE_LOAD_F64:
      load_in_place(tile, code.dst, column);
      return true;
    case TILE_LOAD_I128:
      load_words(tile, code.dst, column, 2, 2);
      return true;
    case TILE_LOAD_I192:
      load_words(tile, code.dst, column, 3, 4);
      return true;
    case TILE_LOAD_VALIDITY:
      load_bits(tile, code.dst, column.validity);
      return true;
    case TILE_CONST_I64: {
      i64* out = tile.write(code.dst);
      const i64 value = code.imm;
      const u32 rows = tile.padded_rows();
      for (u32 i = 0; i < rows; i++) {
        out[i] = value;
      }
      return true;
    }
    default:
      return false;
  }
}

// Reports the first row of the tile that fails; the status word keeps the smallest of all.
static void raise_where(const host_tile& tile, const tile_program_args& args,
                        const tile_instruction& code) {
  const u64* failed = tile.mask(code.a);
  for (u32 w = 0; w < tile.words; w++) {
    const u64 bits = failed[w] & tile.kept_bits(w, code.mask);
    if (bits != 0) {
      const u64 row = static_cast<u64>(args.row_base) + tile.first_row + w * 64 +
                      static_cast<u32>(__builtin_ctzll(bits));
      status::raise(args.status, row, code.aux, static_cast<u32>(code.imm));
      return;
    }
  }
}

// Numbers of the rows that the filter keeps.
ARIADNE_INLINE void select_rows(host_tile& tile) {
  u16* out = tile.selection;
  for (u32 w = 0; w < tile.words; w++) {
    for (u64 bits = tile.filter[w]; bits != 0; bits &= bits - 1) {
      *out++ = static_cast<u16>(w * 64 + static_cast<u32>(__builtin_ctzll(bits)));
    }
  }
}

static void apply_filter(host_tile& tile, const u64* mask) {
  u32 kept = 0;
  for (u32 w = 0; w < tile.words; w++) {
    const u64 bits = mask[w] & tile.live_bits(w);
    tile.filter[w] = bits;
    kept += static_cast<u32>(__builtin_popcountll(bits));
  }
  tile.selected = kept;
  tile.is_selection_built = false;
}

// out[stored + k] = f(k-th row kept)
template <typename Out, typename F>
ARIADNE_INLINE void store_rows(host_tile& tile, void* data, F f) {
  Out* out = static_cast<Out*>(data) + tile.stored;
  if (tile.selected == tile.rows) {
    const u32 rows = tile.rows;
    for (u32 i = 0; i < rows; i++) {
      out[i] = f(i);
    }
    return;
  }
  if (!tile.is_selection_built) {
    select_rows(tile);
    tile.is_selection_built = true;
  }
  const u16* selection = tile.selection;
  const u32 rows = tile.selected;
  for (u32 k = 0; k < rows; k++) {
    out[k] = f(selection[k]);
  }
}

// The bits of the rows kept, appended to a bitmap that has tile.stored bits.
static void store_bits(host_tile& tile, u64* bitmap, const u64* mask) {
  u64 position = tile.stored;
  for (u32 w = 0; w < tile.words; w++) {
    u64 kept = tile.filter[w];
    if (kept == 0) {
      continue;
    }
    u64 bits = mask[w] & kept;
    u32 count = static_cast<u32>(__builtin_popcountll(kept));
    if (kept != tile.live_bits(w)) {
      u64 packed = 0;
      u32 place = 0;
      for (u64 left = kept; left != 0; left &= left - 1) {
        packed |= (bits >> __builtin_ctzll(left) & 1) << place++;
      }
      bits = packed;
    }
    const u32 offset = position % 64;
    bitmap[position / 64] |= bits << offset;
    if (offset + count > 64) {
      bitmap[position / 64 + 1] |= bits >> (64 - offset);
    }
    position += count;
  }
}

static bool run_store(host_tile& tile, const tile_program_args& args,
                      const tile_instruction& code) {
  const tile_output& output = args.outputs[code.dst % TILE_MAX_OUTPUTS];
  const i64* lane = tile.lane[code.a % TILE_MAX_LANES];
  switch (code.op) {
    case TILE_STORE_BOOL:
      store_bits(tile, static_cast<u64*>(output.data), tile.mask(code.a));
      return true;
    case TILE_STORE_VALIDITY:
      store_bits(tile, output.validity, tile.mask(code.a));
      return true;
    case TILE_STORE_I8:
      store_rows<i8>(tile, output.data, [lane](u32 i) { return static_cast<i8>(lane[i]); });
      return true;
    case TILE_STORE_I16:
      store_rows<i16>(tile, output.data, [lane](u32 i) { return static_cast<i16>(lane[i]); });
      return true;
    case TILE_STORE_I32:
      store_rows<i32>(tile, output.data, [lane](u32 i) { return static_cast<i32>(lane[i]); });
      return true;
    case TILE_STORE_I64:
      store_rows<i64>(tile, output.data, [lane](u32 i) { return lane[i]; });
      return true;
    case TILE_STORE_I128: {
      const i64* high = tile.lane[code.a + 1];
      store_rows<u64x2>(tile, output.data, [lane, high](u32 i) {
        return u64x2{static_cast<u64>(lane[i]), static_cast<u64>(high[i])};
      });
      return true;
    }
    case TILE_STORE_F32:
      store_rows<u32>(tile, output.data, [lane](u32 i) {
        return element::canonical_float_bits(from_lane<f64>(lane[i]));
      });
      return true;
    case TILE_STORE_F64:
      store_rows<i64>(tile, output.data,
                      [lane](u32 i) { return element::canonical_bits(from_lane<f64>(lane[i])); });
      return true;
    default:
      return false;
  }
}

}  // namespace tile
