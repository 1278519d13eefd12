// Sums of doubles that do not depend on the order of what is added up.
//
// A double is an integer of 53 bits times a power of two. Cut at multiples of kBinBits bits,
// counted from the smallest denormal, it is three integers of less than 2^kBinBits, its parts, one
// to each of three neighbouring bins. A sum holds kBins neighbouring bins, the highest being the
// highest that any value added so far has a part in; parts that belong below are dropped. Which
// parts the final sum holds depends on the largest value alone, and integers add up exactly, so
// the result does not depend on order and grouping. At least 78 bits below the leading bit of the
// largest value count: more than two doubles.
#pragma once

#include "element/floating.cuh"

namespace element {

inline constexpr u32 kBinBits = 26;
inline constexpr u32 kBins = 4;
inline constexpr u32 kParts = 3;
inline constexpr i64 kBinMask = (1ll << kBinBits) - 1;

// Bits of float_sum.special: what is no number and therefore in no bin.
enum float_special : u32 {
  FLOAT_SUM_NAN = 1,
  FLOAT_SUM_POSITIVE_INFINITY = 2,
  FLOAT_SUM_NEGATIVE_INFINITY = 4,
};

// A sum; all zero for none. It can take 2^37 values.
struct alignas(16) float_sum {
  i64 bin[kBins];  // bin i counts units of 2^(kBinBits * (low + i) - 1074)
  u32 low;
  u32 special;  // float_special of all values
  u64 lock;     // serves the GPU
};
static_assert(sizeof(float_sum) == 48);

// The parts of a finite double and the bin of the lowest.
struct float_parts {
  i64 part[kParts];
  i32 bin;
};

ARIADNE_INLINE float_parts parts_of(f64 value) {
  const i64 bits = as_bits(value);
  const u64 magnitude = static_cast<u64>(bits) & ~kSignBit;
  const i64 sign = bits >> 63;
  const u32 position = static_cast<u32>(unit_exponent(magnitude)) - 1;
  const u32 bin = position * 2521 >> 16;  // position / 26 for positions below 6500
  const u32 shift = position - bin * kBinBits;
  const i64 digits = static_cast<i64>(significand(magnitude));
  const i64 low = (digits << shift) & kBinMask;
  const i64 middle = (digits >> (kBinBits - shift)) & kBinMask;
  const i64 high = digits >> (2 * kBinBits - shift);
  return {{(low ^ sign) - sign, (middle ^ sign) - sign, (high ^ sign) - sign},
          static_cast<i32>(bin)};
}

// The kind of a double that is not finite, else 0.
ARIADNE_INLINE u32 special_of(f64 value) {
  if (is_nan(value)) {
    return FLOAT_SUM_NAN;
  }
  const bool is_infinite = (static_cast<u64>(as_bits(value)) & ~kSignBit) == 0x7ff0000000000000;
  return !is_infinite ? 0 : value > 0 ? FLOAT_SUM_POSITIVE_INFINITY : FLOAT_SUM_NEGATIVE_INFINITY;
}

// Moves the window of bins up until `bin` is the second or a lower one of it.
ARIADNE_INLINE void raise_window(float_sum& sum, i32 bin) {
  const i32 distance = bin - 1 - static_cast<i32>(sum.low);
  if (distance <= 0) {
    return;
  }
  for (i32 i = 0; i < static_cast<i32>(kBins); i++) {
    const i32 from = i + distance;
    sum.bin[i] = from < static_cast<i32>(kBins) ? sum.bin[from] : 0;
  }
  sum.low += static_cast<u32>(distance);
}

ARIADNE_INLINE void add_parts(float_sum& sum, const float_parts& parts) {
  const i32 first = parts.bin - static_cast<i32>(sum.low);
  if (first >= 0) {
    i64* at = sum.bin + first;
    at[0] += parts.part[0];
    at[1] += parts.part[1];
    at[2] += parts.part[2];
    return;
  }
  for (i32 k = -first; k < static_cast<i32>(kParts); k++) {
    sum.bin[first + k] += parts.part[k];
  }
}

ARIADNE_INLINE void add(float_sum& sum, f64 value) {
  const u32 special = special_of(value);
  if (special != 0) {
    sum.special |= special;
    return;
  }
  const float_parts parts = parts_of(value);
  raise_window(sum, parts.bin);
  add_parts(sum, parts);
}

// Adds a sum to another.
ARIADNE_INLINE void combine(float_sum& sum, const float_sum& other) {
  raise_window(sum, static_cast<i32>(other.low) + 1);
  const u32 first = sum.low - other.low;
  for (u32 i = first; i < kBins; i++) {
    sum.bin[i - first] += other.bin[i];
  }
  sum.special |= other.special;
}

}  // namespace element
