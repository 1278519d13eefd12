// Accumulators of the aggregate instructions and how values enter them, shared by all targets. All
// updates commute, so neither the order of rows nor the number of partial states shows in the
// result.
#pragma once

#include "element/float_sum.cuh"
#include "element/wide.cuh"
#include "tile/tile_program.cuh"

namespace aggregate {

ARIADNE_INLINE bool is_aggregate(u8 op) {
  return (op >= TILE_AGG_COUNT && op <= TILE_AGG_SUM_I192) ||
         (op >= TILE_AGG_SUM_F64 && op <= TILE_AGG_XOR_I64);
}

// Value that leaves a 64-bit accumulator as it is.
ARIADNE_INLINE i64 neutral(u8 op) {
  switch (op) {
    case TILE_AGG_MIN_I64:
      return element::kMaxI64;
    case TILE_AGG_MAX_I64:
      return element::kMinI64;
    case TILE_AGG_AND_I64:
      return -1;
    default:
      return 0;
  }
}

// A 192-bit integer: three words, lowest first, two's complement.
struct i192 {
  u64 low;
  u64 middle;
  u64 high;
};

ARIADNE_INLINE i192 widen(i64 low, i64 high) {
  return {static_cast<u64>(low), static_cast<u64>(high), static_cast<u64>(high >> 63)};
}

ARIADNE_INLINE i192 add(i192 a, i192 b) {
  const u128 low = static_cast<u128>(a.low) + b.low;
  const u128 middle = static_cast<u128>(a.middle) + b.middle + static_cast<u64>(low >> 64);
  return {static_cast<u64>(low), static_cast<u64>(middle),
          a.high + b.high + static_cast<u64>(middle >> 64)};
}

// A sum of 64-bit values while it is collected.
struct alignas(16) sum128 {
  u64 low;
  u64 high;

  ARIADNE_MEMBER void add(i128 value) {
    const u128 sum = (static_cast<u128>(high) << 64 | low) + static_cast<u128>(value);
    low = static_cast<u64>(sum);
    high = static_cast<u64>(sum >> 64);
  }
};

// A sum of 128-bit values: 192 bits, padded to 256 so that records stay aligned.
struct alignas(16) sum192 {
  i192 value;
  u64 unused;
};

// Smallest or largest of 128-bit values; the lock serves the GPU.
struct alignas(16) extreme128 {
  u64 low;
  i64 high;
  u64 lock;
  u64 unused;
};
static_assert(sizeof(sum128) == 16 && sizeof(sum192) == 32 && sizeof(extreme128) == 32);

// The accumulator of group `group` for an aggregate instruction.
template <typename T>
ARIADNE_INLINE T* accumulator(u8* accumulators, const tile_instruction& code, u32 group) {
  return reinterpret_cast<T*>(accumulators + code.imm + static_cast<u64>(group) * code.aux);
}

}  // namespace aggregate
