// Registers of a tile on the GPU, and the loops over them. A tile has TILE_GPU_ITEMS rows per
// thread, block_size apart, so that neighbouring threads read neighbouring rows. Registers live in
// dynamic shared memory; a thread touches its own rows only, so no instruction but FILTER needs a
// barrier.
#pragma once

#include "element/wide.cuh"
#include "tile/tile_program.cuh"

namespace tile {

inline constexpr u32 kItems = TILE_GPU_ITEMS;
inline constexpr u32 kMaxWarps = TILE_GPU_THREADS / target::kWarpSize;

// Shared memory of a block besides its registers. A warp's rows of one item that are kept lie next
// to each other among the tile's rows kept, from place[item * warps + warp].
struct block_state {
  u32 place[kItems * kMaxWarps];
  u32 stored;  // rows stored by the tiles before; only with FILTER
  u32 kept;    // rows of the tile that FILTER kept
  u32 ticket;
  u8 items[kMaxWarps * target::kWarpSize];  // per thread: bit j, item j is a row and is kept;
                                            // kFiltered
};

inline constexpr u32 kFiltered = 1u << kItems;  // in block_state.items: FILTER has run

// What a program computes on while it runs over one tile. Few fields, as all of them occupy
// registers through every instruction; the thread index is made opaque before each, or the compiler
// would keep the addresses of all instructions' operands in registers. Dynamic shared memory holds
//   lanes         register, item, thread: 64 bits
//   masks         register, thread: 8 bits, bit j for item j
//   accumulators  the block's copies, see aggregate/tile_sink.gpu.cuh
struct gpu_tile {
  const tile_program_args& args;
  u64* shared;
  block_state& block;
  u32 index;   // of the tile
  u32 thread;  // of the block

  ARIADNE_MEMBER u32 threads() const { return target::block_size(); }
  ARIADNE_MEMBER u32 warps() const { return target::block_size() / target::kWarpSize; }
  ARIADNE_MEMBER i64& lane(u32 index, u32 item) const {
    const u32 at = (index * kItems + item) * threads() + thread;
    return reinterpret_cast<i64*>(shared)[at];
  }
  ARIADNE_MEMBER u8* masks() const {
    return reinterpret_cast<u8*>(shared + args.lane_registers * kItems * threads());
  }
  ARIADNE_MEMBER u8& mask(u32 index) const { return masks()[index * threads() + thread]; }
  ARIADNE_MEMBER u64* accumulator_words() const {
    return reinterpret_cast<u64*>(masks() + args.mask_registers * threads());
  }
  ARIADNE_MEMBER i128 wide(u32 index, u32 item) const {
    return element::join(lane(index, item), lane(index + 1, item));
  }
  ARIADNE_MEMBER void set_wide(u32 index, u32 item, i128 value) const {
    lane(index, item) = element::low_half(value);
    lane(index + 1, item) = element::high_half(value);
  }
  ARIADNE_MEMBER u32 first_row() const { return index * (kItems * threads()); }
  ARIADNE_MEMBER u32 row(u32 item) const { return first_row() + item * threads() + thread; }
  ARIADNE_MEMBER u8& items() const { return block.items[thread]; }
  ARIADNE_MEMBER bool is_kept(u32 item) const { return (items() >> item & 1) != 0; }
  // Items that FILTER kept and, when the register is one, that a mask keeps too.
  ARIADNE_MEMBER u32 kept_items(u8 mask_register) const {
    const u32 kept = items() & (kFiltered - 1);
    return mask_register == TILE_NO_REGISTER ? kept : kept & mask(mask_register);
  }
  // Rows stored before the first one kept of this warp's rows of an item.
  ARIADNE_MEMBER u32 first_place(u32 item) const {
    return ((items() & kFiltered) != 0 ? block.stored : first_row()) +
           block.place[item * warps() + thread / target::kWarpSize];
  }
};

// Lanes of the warp before this one that have a bit.
ARIADNE_INLINE u32 lanes_before(u32 bits) {
  return static_cast<u32>(__builtin_popcount(bits & ((1u << target::lane_index()) - 1)));
}

template <typename T>
ARIADNE_INLINE T from_lane(i64 bits) {
  return __builtin_bit_cast(T, bits);
}
ARIADNE_INLINE i64 to_lane(i64 value) { return value; }
ARIADNE_INLINE i64 to_lane(f64 value) { return __builtin_bit_cast(i64, value); }

ARIADNE_INLINE tile_instruction fetch(const tile_program_args& args, u32 pc) {
  const u64x2* code = reinterpret_cast<const u64x2*>(args.instructions) + pc;
  return __builtin_bit_cast(tile_instruction, target::load_ro(code));
}

// Operands of a 64-bit operation: a register or imm.
ARIADNE_INLINE i64 operand_a(const gpu_tile& tile, const tile_instruction& code, u32 item) {
  return (code.flags & TILE_A_CONSTANT) != 0 ? code.imm : tile.lane(code.a, item);
}
ARIADNE_INLINE i64 operand_b(const gpu_tile& tile, const tile_instruction& code, u32 item) {
  return (code.flags & TILE_B_CONSTANT) != 0 ? code.imm : tile.lane(code.b, item);
}

// Operands of a 128-bit operation: a register pair or a slot of the constant pool.
ARIADNE_INLINE i128 wide_operand(const gpu_tile& tile, const tile_instruction& code, u8 index,
                                 u8 constant_flag, u32 item) {
  if ((code.flags & constant_flag) != 0) {
    const u64x2* pool = reinterpret_cast<const u64x2*>(tile.args.constants);
    const u64x2 slot = target::load_ro(pool + code.imm);
    return element::join(static_cast<i64>(slot.x), static_cast<i64>(slot.y));
  }
  return tile.wide(index, item);
}

}  // namespace tile
