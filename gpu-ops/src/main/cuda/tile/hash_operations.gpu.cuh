// Hashes of decimals and strings on the GPU: each thread reads the strings of its rows.
#pragma once

#include "tile/lanes.gpu.cuh"
#include "tile/operations.cuh"

namespace tile {

// Bytes in memory, read by aligned words of which none lies wholly outside of the string.
struct memory_bytes {
  const u32* word;
  u32 skew;     // bits of the first word before the string
  u32 current;  // the last word read
  u32 left;     // words not read yet

  ARIADNE_MEMBER memory_bytes(const u8* at, u32 length) {
    const u32 offset = static_cast<u32>(reinterpret_cast<u64>(at) % sizeof(u32));
    word = reinterpret_cast<const u32*>(at - offset);
    skew = 8 * offset;
    left = (offset + length + 3) / 4 - 1;
    current = target::load_ro(word);
  }
  ARIADNE_MEMBER u32 next() {
    const u32 before = current;
    if (left != 0) {
      left--;
      word++;
      current = target::load_ro(word);
    }
    return static_cast<u32>((static_cast<u64>(current) << 32 | before) >> skew);
  }
  ARIADNE_MEMBER u32 rest(u32) { return next(); }
};

template <typename Hash>
ARIADNE_INLINE i64 hash_memory(const u8* at, u32 length, i64 seed) {
  memory_bytes bytes(at, length);
  return Hash::hash(bytes, length, seed);
}

template <typename Hash>
ARIADNE_INLINE i64 hash_view(const gpu_tile& tile, const tile_instruction& code, u32 item,
                             i64 seed) {
  const i64 low = tile.lane(code.a, item);
  const i64 high = tile.lane(code.a + 1, item);
  const u32 length = view_length(low);
  if (length <= column::kInlineLength) {
    register_bytes bytes = inline_bytes(low, high);
    return Hash::hash(bytes, length, seed);
  }
  const void* const* heaps = tile.args.inputs[code.aux % TILE_MAX_INPUTS].heaps;
  const void* heap = target::load_ro(heaps + static_cast<u32>(high));
  return hash_memory<Hash>(static_cast<const u8*>(heap) + (static_cast<u64>(high) >> 32), length,
                           seed);
}

template <typename Hash>
ARIADNE_INLINE void hash_views(const gpu_tile& tile, const tile_instruction& code) {
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    const i64 seed = operand_b(tile, code, j);
    tile.lane(code.dst, j) = (code.flags & TILE_A_CONSTANT) != 0
                                 ? hash_memory<Hash>(constant_bytes(tile.args, code.imm),
                                                     constant_length(code.imm), seed)
                                 : hash_view<Hash>(tile, code, j, seed);
  }
}

template <typename Hash>
ARIADNE_INLINE void hash_decimals(const gpu_tile& tile, const tile_instruction& code) {
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    const i128 value = tile.wide(code.a, j);
    register_bytes bytes = decimal_bytes(value);
    tile.lane(code.dst, j) =
        Hash::hash(bytes, element::shortest_bytes(value), operand_b(tile, code, j));
  }
}

ARIADNE_INLINE bool run_hash(const gpu_tile& tile, const tile_instruction& code) {
  switch (code.op) {
#define CASE(DECIMAL, VIEW, HASH)    \
  case TILE_##DECIMAL:               \
    hash_decimals<HASH>(tile, code); \
    return true;                     \
  case TILE_##VIEW:                  \
    hash_views<HASH>(tile, code);    \
    return true;
    TILE_HASH_BYTES_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

}  // namespace tile
