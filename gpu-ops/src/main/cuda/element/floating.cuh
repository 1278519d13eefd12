// Doubles with Java's and Spark's rules: casts of Java, an order in which NaN equals itself and is
// the largest value and -0.0 equals 0.0, remainder of Java.
#pragma once

#include "element/integer.cuh"

namespace element {

inline constexpr u64 kCanonicalNan = 0x7ff8000000000000;  // Double.NaN of Java
inline constexpr u64 kSignBit = 1ull << 63;

ARIADNE_INLINE f64 as_f64(i64 bits) { return __builtin_bit_cast(f64, bits); }
ARIADNE_INLINE i64 as_bits(f64 value) { return __builtin_bit_cast(i64, value); }
ARIADNE_INLINE bool is_nan(f64 a) { return a != a; }

// Spark's comparison (SQLOrderingUtil.compareDoubles).
ARIADNE_INLINE bool equal(f64 a, f64 b) { return a == b || (is_nan(a) && is_nan(b)); }
ARIADNE_INLINE bool less(f64 a, f64 b) { return !is_nan(a) && !(a >= b); }
ARIADNE_INLINE bool less_or_equal(f64 a, f64 b) { return is_nan(b) || a <= b; }

ARIADNE_INLINE f64 negate(f64 a) { return as_f64(static_cast<i64>(as_bits(a) ^ kSignBit)); }
ARIADNE_INLINE f64 absolute(f64 a) { return as_f64(static_cast<i64>(as_bits(a) & ~kSignBit)); }

// The nearest float, as a double.
ARIADNE_INLINE f64 round_to_float(f64 a) { return static_cast<f64>(static_cast<f32>(a)); }

// One NaN for all; Java's Double.doubleToLongBits.
ARIADNE_INLINE i64 canonical_bits(f64 a) {
  return is_nan(a) ? static_cast<i64>(kCanonicalNan) : as_bits(a);
}

// The nearest float, with one NaN.
ARIADNE_INLINE u32 canonical_float_bits(f64 a) {
  return is_nan(a) ? 0x7fc00000u : __builtin_bit_cast(u32, static_cast<f32>(a));
}

// One NaN and one zero: what Spark groups and joins by.
ARIADNE_INLINE f64 normalize(f64 a) { return a == 0.0 ? 0.0 : as_f64(canonical_bits(a)); }

// A signed integer ordered as Spark orders doubles, with -0.0 below 0.0; and back.
ARIADNE_INLINE i64 order_key(f64 a) {
  const i64 bits = canonical_bits(a);
  return bits ^ static_cast<i64>(static_cast<u64>(bits >> 63) >> 1);
}
ARIADNE_INLINE f64 from_order_key(i64 key) {
  return as_f64(key ^ static_cast<i64>(static_cast<u64>(key >> 63) >> 1));
}

// Java's (long) and (int): towards zero, saturating, NaN is 0 (JLS 5.1.3).
ARIADNE_INLINE i64 to_i64(f64 a) {
  const bool fits = a >= -9223372036854775808.0 && a < 9223372036854775808.0;
  const i64 edge = a > 0.0 ? kMaxI64 : (a < 0.0 ? kMinI64 : 0);
  return fits ? static_cast<i64>(fits ? a : 0.0) : edge;
}
ARIADNE_INLINE i64 to_i32(f64 a) {
  const f64 low = a < -2147483648.0 ? -2147483648.0 : a;
  const f64 clamped = low > 2147483647.0 ? 2147483647.0 : low;
  return is_nan(a) ? 0 : static_cast<i32>(is_nan(a) ? 0.0 : clamped);
}

ARIADNE_INLINE f64 to_float(i64 a) { return static_cast<f64>(static_cast<f32>(a)); }

// Significand with the hidden bit, and the exponent of its unit; `magnitude` is finite, sign clear.
ARIADNE_INLINE u64 significand(u64 magnitude) {
  const u64 fraction = magnitude & ((1ull << 52) - 1);
  return magnitude >> 52 == 0 ? fraction : fraction | 1ull << 52;
}
ARIADNE_INLINE i32 unit_exponent(u64 magnitude) {
  const i32 biased = static_cast<i32>(magnitude >> 52);
  return biased == 0 ? 1 : biased;
}

// significand * 2^(exponent - 1075) where the result is exact and below 2^53 units.
ARIADNE_INLINE u64 compose(u64 value, i32 exponent) {
  if (value == 0) {
    return 0;
  }
  const i32 shift = __builtin_clzll(value) - 11;
  if (exponent - shift >= 1) {
    return (value << shift) + (static_cast<u64>(exponent - shift - 1) << 52);
  }
  return value << (exponent - 1);
}

// Java's a % b: exact, sign of a; NaN when a is infinite or NaN, or b is 0 or NaN.
ARIADNE_FUNCTION f64 remainder(f64 a, f64 b) {
  const u64 x = static_cast<u64>(as_bits(a)) & ~kSignBit;
  const u64 y = static_cast<u64>(as_bits(b)) & ~kSignBit;
  constexpr u64 infinity = 0x7ff0000000000000;
  if (x >= infinity || y > infinity || y == 0) {
    return as_f64(static_cast<i64>(kCanonicalNan));
  }
  if (x < y) {
    return a;
  }
  const u64 divisor = significand(y);
  u64 rest = significand(x) % divisor;
  i32 steps = unit_exponent(x) - unit_exponent(y);
  while (steps > 0 && rest != 0) {
    const i32 step = steps < 11 ? steps : 11;
    rest = (rest << step) % divisor;
    steps -= step;
  }
  const u64 sign = static_cast<u64>(as_bits(a)) & kSignBit;
  return as_f64(static_cast<i64>(compose(rest, unit_exponent(y)) | sign));
}

}  // namespace element
