// Hashes of decimals and strings on the host: row by row, as their lengths differ, but for Murmur3
// of strings, see murmur3_views.host.cuh.
#pragma once

#include "tile/lanes.host.cuh"
#include "tile/murmur3_views.host.cuh"
#include "tile/operations.cuh"

namespace tile {

// Calls body(seed of a row) with one instance of the loop per form of the operand.
template <typename Body>
ARIADNE_INLINE void with_seed(const host_tile& tile, const tile_instruction& code, Body body) {
  if ((code.flags & TILE_B_CONSTANT) != 0) {
    const i64 seed = code.imm;
    body([seed](u32) { return seed; });
  } else {
    const i64* seeds = tile.lane[code.b % TILE_MAX_LANES];
    body([seeds](u32 i) { return seeds[i]; });
  }
}

template <typename Hash>
static void hash_decimals(host_tile& tile, const tile_instruction& code) {
  const i64* low = tile.lane[code.a % TILE_MAX_LANES];
  const i64* high = tile.lane[(code.a + 1) % TILE_MAX_LANES];
  with_seed(tile, code, [&](auto seed) {
    i64* out = tile.write(code.dst);
    const u32 rows = tile.rows;
    for (u32 i = 0; i < rows; i++) {
      const i128 value = element::join(low[i], high[i]);
      register_bytes bytes = decimal_bytes(value);
      out[i] = Hash::hash(bytes, element::shortest_bytes(value), seed(i));
    }
  });
}

template <typename Hash>
static void hash_constant(host_tile& tile, const tile_program_args& args,
                          const tile_instruction& code) {
  const u8* text = constant_bytes(args, code.imm);
  const u32 length = constant_length(code.imm);
  const i64* seeds = tile.lane[code.b % TILE_MAX_LANES];
  i64* out = tile.write(code.dst);
  const u32 rows = tile.rows;
  for (u32 i = 0; i < rows; i++) {
    if (length <= sizeof(tile_constant)) {
      register_bytes bytes;
      __builtin_memcpy(&bytes, text, sizeof(bytes));
      out[i] = Hash::hash(bytes, length, seeds[i]);
    } else {
      memory_bytes bytes = {text};
      out[i] = Hash::hash(bytes, length, seeds[i]);
    }
  }
}

// The rows behind the last have no views.
template <typename Hash>
static void hash_views(host_tile& tile, const tile_program_args& args,
                       const tile_instruction& code) {
  if ((code.flags & TILE_A_CONSTANT) != 0) {
    hash_constant<Hash>(tile, args, code);
    return;
  }
  const void* const* heaps = args.inputs[code.aux % TILE_MAX_INPUTS].heaps;
  const i64* low = tile.lane[code.a % TILE_MAX_LANES];
  const i64* high = tile.lane[(code.a + 1) % TILE_MAX_LANES];
  with_seed(tile, code, [&](auto seed) {
    i64* out = tile.write(code.dst);
    const u32 rows = tile.rows;
    if constexpr (__is_same(Hash, murmur3)) {
      murmur3_views(views{low, high, heaps}, rows, seed, out);
    } else {
      for (u32 i = 0; i < rows; i++) {
        out[i] = hash_view<Hash>(low[i], high[i], heaps, seed(i));
      }
    }
  });
}

static bool run_hash(host_tile& tile, const tile_program_args& args, const tile_instruction& code) {
  switch (code.op) {
#define CASE(DECIMAL, VIEW, HASH)       \
  case TILE_##DECIMAL:                  \
    hash_decimals<HASH>(tile, code);    \
    return true;                        \
  case TILE_##VIEW:                     \
    hash_views<HASH>(tile, args, code); \
    return true;
    TILE_HASH_BYTES_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

}  // namespace tile
