// The aggregate instructions at the end of a tile program, on the host.
//
// One group: masked sums over whole lanes, in two halves of 32 bits so that no sum of a tile
// overflows 64 bits. Few groups: one pass over the rows updates up to kColumns sums and counts at a
// time in a small table per tile (few_groups.host.cuh); rows that do not count go to a trash group
// behind the others. Many groups, minima and maxima, or values so large that a tile's sum might
// overflow 64 bits: row by row into the accumulators.
#pragma once

#include "aggregate/accumulator.cuh"
#include "tile/lanes.host.cuh"

namespace aggregate {

using tile::host_tile;
using tile::kRows;

inline constexpr u32 kColumns = 8;      // aggregates updated in one pass
inline constexpr u32 kFewGroups = 256;  // groups kept in the small table
inline constexpr u32 kSafeBits = 51;    // 2048 values of so many bits and a sign sum up in 64 bits

inline constexpr u64 kGroupBytes = kRows * sizeof(u32);
inline constexpr u64 kScratchBytes = kGroupBytes + kColumns * kRows * sizeof(i64);

// Group of every row of a tile: group_count is the trash group.
struct row_groups {
  u32* group;
  u32 trash;
};

// Rows kept by FILTER get their group number, all others and invalid numbers the trash group.
static row_groups assign_groups(const host_tile& tile, const tile_program_args& args,
                                const tile_instruction& code, void* scratch) {
  row_groups groups = {static_cast<u32*>(scratch), args.group_count};
  const i64* lane = tile.lane[code.b];
  const u64 count = args.group_count;
  for (u32 w = 0; w < tile.words; w++) {
    const u64 bits = tile.filter[w];
    u32* out = groups.group + w * 64;
    const i64* in = lane + w * 64;
    u64 invalid = 0;
#pragma clang loop vectorize(assume_safety)
    for (u32 k = 0; k < 64; k++) {
      const u64 group = static_cast<u64>(in[k]);
      const bool kept = (bits >> k & 1) != 0;
      invalid |= kept && group >= count ? 1 : 0;
      out[k] = static_cast<u32>(kept && group < count ? group : count);
    }
    if (invalid != 0) {
      for (u32 k = 0; k < 64; k++) {
        if ((bits >> k & 1) != 0 && static_cast<u64>(in[k]) >= count) {
          status::raise(args.status, static_cast<u64>(args.row_base) + tile.first_row + w * 64 + k,
                        0, TILE_ERROR_INVALID_GROUP);
          break;
        }
      }
    }
  }
  return groups;
}

// out = value where the mask has a bit, else the neutral value.
static void neutralise(const host_tile& tile, const tile_instruction& code, i64* out) {
  const u64* mask = tile.mask(code.mask);
  const i64* in = code.op == TILE_AGG_COUNT ? nullptr : tile.lane[code.a];
  const i64 otherwise = neutral(code.op);
  for (u32 w = 0; w < tile.words; w++) {
    const u64 bits = mask[w];
#pragma clang loop vectorize(assume_safety)
    for (u32 k = 0; k < 64; k++) {
      const i64 value = in == nullptr ? 1 : in[w * 64 + k];
      out[w * 64 + k] = (bits >> k & 1) != 0 ? value : otherwise;
    }
  }
}

// Whether the sum of the lane's values over a tile fits 64 bits for certain.
ARIADNE_INLINE bool is_safe(const i64* lane, u32 rows) {
  u64 bits = 0;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < rows; i++) {
    bits |= static_cast<u64>(lane[i] ^ lane[i] >> 63);
  }
  return bits >> kSafeBits == 0;
}

// Whether the upper halves of 128-bit values only repeat the signs of the lower ones.
ARIADNE_INLINE bool is_sign(const i64* low, const i64* high, u32 rows) {
  u64 bits = 0;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < rows; i++) {
    bits |= static_cast<u64>(high[i] ^ low[i] >> 63);
  }
  return bits == 0;
}

// --- one group ---

// Sums of the halves of values: no sum over a tile overflows.
struct half_sums {
  i64 low;
  i64 high;
};

// Adds 64 values, those without a bit as 0.
template <bool HasBits>
ARIADNE_INLINE void add_word(half_sums& sums, const i64* in, u64 bits) {
  i64 low = sums.low;
  i64 high = sums.high;
#pragma clang loop vectorize(assume_safety)
  for (u32 k = 0; k < 64; k++) {
    const i64 loaded = in[k];
    const i64 value = !HasBits || (bits >> k & 1) != 0 ? loaded : 0;
    low += value & 0xffffffff;
    high += value >> 32;
  }
  sums = {low, high};
}

// Sum of the lane's values at the rows kept.
static i128 sum_lane(const host_tile& tile, const i64* lane, u8 mask_register) {
  half_sums sums = {0, 0};
  for (u32 w = 0; w < tile.words; w++) {
    const u64 bits = tile.kept_bits(w, mask_register);
    if (bits == ~0ull) {
      add_word<false>(sums, lane + w * 64, bits);
    } else if (bits != 0) {
      add_word<true>(sums, lane + w * 64, bits);
    }
  }
  return (static_cast<i128>(sums.high) << 32) + sums.low;
}

static u64 count_rows(const host_tile& tile, u8 mask_register) {
  u64 count = 0;
  for (u32 w = 0; w < tile.words; w++) {
    count += static_cast<u64>(__builtin_popcountll(tile.kept_bits(w, mask_register)));
  }
  return count;
}

template <bool Max>
ARIADNE_INLINE i64 better(i64 a, i64 b) {
  if constexpr (Max) {
    return __builtin_elementwise_max(a, b);
  } else {
    return __builtin_elementwise_min(a, b);
  }
}

template <bool Max>
static i64 extreme_of_lane(const host_tile& tile, const i64* lane, u8 mask_register) {
  constexpr i64 otherwise = Max ? element::kMinI64 : element::kMaxI64;
  i64 best = otherwise;
  for (u32 w = 0; w < tile.words; w++) {
    const u64 bits = tile.kept_bits(w, mask_register);
#pragma clang loop vectorize(assume_safety)
    for (u32 k = 0; k < 64; k++) {
      const i64 kept = -static_cast<i64>(bits >> k & 1);
      const i64 value = (lane[w * 64 + k] & kept) | (otherwise & ~kept);
      best = better<Max>(value, best);
    }
  }
  return best;
}

// --- accumulators of any group ---

template <bool Max>
ARIADNE_INLINE void take_better(i64* at, i64 value) {
  *at = better<Max>(*at, value);
}

template <bool Max>
ARIADNE_INLINE void take_better(extreme128* at, i64 low, i64 high) {
  const i128 value = element::join(low, high);
  const i128 current = element::join(static_cast<i64>(at->low), at->high);
  if (Max ? value > current : value < current) {
    at->low = static_cast<u64>(low);
    at->high = high;
  }
}

// Calls f(accumulator, row) for every row kept; the group is 0 without groups.
template <typename T, typename F>
ARIADNE_INLINE void for_rows_kept(const host_tile& tile, const tile_program_args& args,
                                  const tile_instruction& code, const u32* groups, F f) {
  for (u32 w = 0; w < tile.words; w++) {
    for (u64 bits = tile.kept_bits(w, code.mask); bits != 0; bits &= bits - 1) {
      const u32 row = w * 64 + static_cast<u32>(__builtin_ctzll(bits));
      f(accumulator<T>(args.accumulators, code, groups == nullptr ? 0 : groups[row]), row);
    }
  }
}

// One aggregate, row by row into its accumulators.
static void update_directly(const host_tile& tile, const tile_program_args& args,
                            const tile_instruction& code, const u32* groups) {
  const i64* a = tile.lane[code.a % TILE_MAX_LANES];
  const i64* b = tile.lane[(code.a + 1) % TILE_MAX_LANES];
  const i64* c = tile.lane[(code.a + 2) % TILE_MAX_LANES];
  switch (code.op) {
    case TILE_AGG_COUNT:
      for_rows_kept<i64>(tile, args, code, groups, [](i64* at, u32) { ++*at; });
      break;
    case TILE_AGG_SUM_I64:
      for_rows_kept<sum128>(tile, args, code, groups, [a](sum128* at, u32 i) { at->add(a[i]); });
      break;
    case TILE_AGG_SUM_I128:
      for_rows_kept<sum192>(tile, args, code, groups, [a, b](sum192* at, u32 i) {
        at->value = add(at->value, widen(a[i], b[i]));
      });
      break;
    case TILE_AGG_SUM_I192:
      for_rows_kept<sum192>(tile, args, code, groups, [a, b, c](sum192* at, u32 i) {
        const i192 value = {static_cast<u64>(a[i]), static_cast<u64>(b[i]), static_cast<u64>(c[i])};
        at->value = add(at->value, value);
      });
      break;
    case TILE_AGG_SUM_F64:
      for_rows_kept<element::float_sum>(
          tile, args, code, groups,
          [a](element::float_sum* at, u32 i) { element::add(*at, element::as_f64(a[i])); });
      break;
    case TILE_AGG_MIN_I64:
      for_rows_kept<i64>(tile, args, code, groups,
                         [a](i64* at, u32 i) { take_better<false>(at, a[i]); });
      break;
    case TILE_AGG_MAX_I64:
      for_rows_kept<i64>(tile, args, code, groups,
                         [a](i64* at, u32 i) { take_better<true>(at, a[i]); });
      break;
    case TILE_AGG_AND_I64:
      for_rows_kept<i64>(tile, args, code, groups, [a](i64* at, u32 i) { *at &= a[i]; });
      break;
    case TILE_AGG_OR_I64:
      for_rows_kept<i64>(tile, args, code, groups, [a](i64* at, u32 i) { *at |= a[i]; });
      break;
    case TILE_AGG_XOR_I64:
      for_rows_kept<i64>(tile, args, code, groups, [a](i64* at, u32 i) { *at ^= a[i]; });
      break;
    case TILE_AGG_MIN_I128:
      for_rows_kept<extreme128>(tile, args, code, groups, [a, b](extreme128* at, u32 i) {
        take_better<false>(at, a[i], b[i]);
      });
      break;
    default:
      for_rows_kept<extreme128>(tile, args, code, groups, [a, b](extreme128* at, u32 i) {
        take_better<true>(at, a[i], b[i]);
      });
      break;
  }
}

// One aggregate without groups.
static void update_global(const host_tile& tile, const tile_program_args& args,
                          const tile_instruction& code) {
  switch (code.op) {
    case TILE_AGG_COUNT:
      *accumulator<u64>(args.accumulators, code, 0) += count_rows(tile, code.mask);
      break;
    case TILE_AGG_SUM_I64:
      accumulator<sum128>(args.accumulators, code, 0)
          ->add(sum_lane(tile, tile.lane[code.a], code.mask));
      break;
    case TILE_AGG_MIN_I64:
      take_better<false>(accumulator<i64>(args.accumulators, code, 0),
                         extreme_of_lane<false>(tile, tile.lane[code.a], code.mask));
      break;
    case TILE_AGG_MAX_I64:
      take_better<true>(accumulator<i64>(args.accumulators, code, 0),
                        extreme_of_lane<true>(tile, tile.lane[code.a], code.mask));
      break;
    default:
      update_directly(tile, args, code, nullptr);
      break;
  }
}

}  // namespace aggregate
