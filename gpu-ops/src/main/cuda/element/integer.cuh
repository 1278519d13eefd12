// Integer arithmetic on values, with Java's results: wrapping, shift counts taken modulo the width,
// division that never traps.
#pragma once

#include "target/target.cuh"

namespace element {

inline constexpr i64 kMinI64 = static_cast<i64>(1ull << 63);
inline constexpr i64 kMaxI64 = ~kMinI64;

// The compiler is told -fwrapv: signed arithmetic wraps.
ARIADNE_INLINE i64 add(i64 a, i64 b) { return a + b; }
ARIADNE_INLINE i64 subtract(i64 a, i64 b) { return a - b; }
ARIADNE_INLINE i64 multiply(i64 a, i64 b) { return a * b; }
ARIADNE_INLINE i64 negate(i64 a) { return -a; }
ARIADNE_INLINE i64 absolute(i64 a) { return a < 0 ? -a : a; }

// Whether the exact result does not fit 64 bits.
ARIADNE_INLINE bool add_overflows(i64 a, i64 b) { return ((a ^ (a + b)) & (b ^ (a + b))) < 0; }
ARIADNE_INLINE bool subtract_overflows(i64 a, i64 b) { return ((a ^ b) & (a ^ (a - b))) < 0; }
ARIADNE_INLINE bool multiply_overflows(i64 a, i64 b) {
  const i128 exact = static_cast<i128>(a) * b;
  return static_cast<i64>(exact >> 64) != static_cast<i64>(exact) >> 63;
}

// Quotient towards zero, as Java's /; 0 for a zero divisor, the minimum / -1 wraps.
ARIADNE_INLINE i64 divide(i64 a, i64 b) {
  if (b == -1) {
    return -a;
  }
  return b == 0 ? 0 : a / b;
}

// Remainder with the sign of a, as Java's %; 0 for a zero divisor.
ARIADNE_INLINE i64 remainder(i64 a, i64 b) { return b == 0 || b == -1 ? 0 : a % b; }

// Math.floorDiv and Math.floorMod; 0 for a zero divisor.
ARIADNE_INLINE i64 floor_divide(i64 a, i64 b) {
  const i64 quotient = divide(a, b);
  return remainder(a, b) != 0 && (a ^ b) < 0 ? quotient - 1 : quotient;
}
ARIADNE_INLINE i64 floor_modulo(i64 a, i64 b) {
  const i64 rest = remainder(a, b);
  return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

ARIADNE_INLINE i64 shift_left(i64 a, i64 count) {
  return static_cast<i64>(static_cast<u64>(a) << (count & 63));
}
ARIADNE_INLINE i64 shift_right(i64 a, i64 count) { return a >> (count & 63); }
ARIADNE_INLINE i64 shift_right_unsigned(i64 a, i64 count) {
  return static_cast<i64>(static_cast<u64>(a) >> (count & 63));
}
ARIADNE_INLINE i64 shift_left_int(i64 a, i64 count) {
  return static_cast<i32>(static_cast<u32>(a) << (count & 31));
}
ARIADNE_INLINE i64 shift_right_int(i64 a, i64 count) { return static_cast<i32>(a) >> (count & 31); }
ARIADNE_INLINE i64 shift_right_unsigned_int(i64 a, i64 count) {
  return static_cast<i32>(static_cast<u32>(a) >> (count & 31));
}

// Long.bitCount
ARIADNE_INLINE i64 bit_count(i64 a) { return __builtin_popcountll(static_cast<u64>(a)); }

// The low `bits` bits, sign-extended: Java's narrowing casts.
ARIADNE_INLINE i64 narrow(i64 a, u32 bits) {
  return static_cast<i64>(static_cast<u64>(a) << (64 - bits)) >> (64 - bits);
}

}  // namespace element
