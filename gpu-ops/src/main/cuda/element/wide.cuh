// 128- and 256-bit integers: what the compiler would turn into calls of a run-time library that the
// kernels do not have. No loop keeps an indexed array, so nothing lands in the GPU's local memory.
#pragma once

#include "element/integer.cuh"

namespace element {

ARIADNE_INLINE i128 join(i64 low, i64 high) {
  return static_cast<i128>(static_cast<u128>(static_cast<u64>(high)) << 64 | static_cast<u64>(low));
}
ARIADNE_INLINE i64 low_half(i128 value) { return static_cast<i64>(value); }
ARIADNE_INLINE i64 high_half(i128 value) { return static_cast<i64>(value >> 64); }

ARIADNE_INLINE u128 magnitude(i128 value) {
  return value < 0 ? -static_cast<u128>(value) : static_cast<u128>(value);
}
ARIADNE_INLINE i128 with_sign(u128 magnitude, bool negative) {
  return static_cast<i128>(negative ? -magnitude : magnitude);
}

// Number of bits up to the highest one set; 0 for 0.
ARIADNE_INLINE u32 bit_length(u64 value) {
  return value == 0 ? 0 : 64 - static_cast<u32>(__builtin_clzll(value));
}
ARIADNE_INLINE u32 bit_length(u128 value) {
  const u64 high = static_cast<u64>(value >> 64);
  return high != 0 ? 64 + bit_length(high) : bit_length(static_cast<u64>(value));
}

// An unsigned 256-bit integer.
struct u256 {
  u128 low;
  u128 high;
};

ARIADNE_INLINE u256 multiply_wide(u128 a, u128 b) {
  const u64 a0 = static_cast<u64>(a);
  const u64 a1 = static_cast<u64>(a >> 64);
  const u64 b0 = static_cast<u64>(b);
  const u64 b1 = static_cast<u64>(b >> 64);
  const u128 low = static_cast<u128>(a0) * b0;
  const u128 cross = static_cast<u128>(a1) * b0 + static_cast<u64>(low >> 64);
  const u128 middle = static_cast<u128>(a0) * b1 + static_cast<u64>(cross);
  u256 product;
  product.low = middle << 64 | static_cast<u64>(low);
  product.high = static_cast<u128>(a1) * b1 + (cross >> 64) + (middle >> 64);
  return product;
}

ARIADNE_INLINE u128 multiply_high(u128 a, u128 b) { return multiply_wide(a, b).high; }

ARIADNE_INLINE u256 add(u256 a, u256 b) {
  u256 sum;
  sum.low = a.low + b.low;
  sum.high = a.high + b.high + (sum.low < a.low ? 1 : 0);
  return sum;
}

ARIADNE_INLINE u256 negate(u256 a) {
  u256 result;
  result.low = -a.low;
  result.high = ~a.high + (a.low == 0 ? 1 : 0);
  return result;
}

ARIADNE_INLINE bool is_negative(u256 a) { return static_cast<i128>(a.high) < 0; }

ARIADNE_INLINE u256 shift_left(u256 a, u32 count) {
  u256 result = a;
  if (count >= 128) {
    result.high = a.low << (count - 128);
    result.low = 0;
  } else if (count > 0) {
    result.high = a.high << count | a.low >> (128 - count);
    result.low = a.low << count;
  }
  return result;
}

struct u256_division {
  u256 quotient;
  u128 remainder;
};

struct u64_division {
  u64 quotient;
  u64 remainder;
};

// (high * 2^64 + low) / divisor for high < divisor and a divisor with its top bit set: two digits
// of 32 bits (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D).
ARIADNE_INLINE u64_division divide_normalized(u64 high, u64 low, u64 divisor) {
  const u64 d1 = divisor >> 32;
  const u64 d0 = divisor & 0xffffffff;
  u64 rest = high;
  u64 quotient = 0;
#pragma clang loop unroll(disable)
  for (u32 shift = 64; shift != 0;) {
    shift -= 32;
    u64 digit = rest / d1;
    u64 part = rest - digit * d1;
    const u64 next = low >> shift & 0xffffffff;
    while (digit >> 32 != 0 || digit * d0 > (part << 32 | next)) {
      digit--;
      part += d1;
      if (part >> 32 != 0) {
        break;
      }
    }
    rest = (rest << 32 | next) - digit * divisor;
    quotient = quotient << 32 | digit;
  }
  return {quotient, rest};
}

// numerator / divisor for a divisor of 64 bits that is not 0. The quotient's words follow the
// numerator's out of the same register. Words of zeros at the top, which most numerators have, cost
// no division.
ARIADNE_FUNCTION u256_division divide(u256 numerator, u64 divisor) {
  const u32 shift = static_cast<u32>(__builtin_clzll(divisor));
  const u64 normalized = divisor << shift;
  // The bits that the shift pushes out of the numerator are the first remainder.
  const u64 top = static_cast<u64>(numerator.high >> 64);
  u64 remainder = shift == 0 ? 0 : top >> (64 - shift);
  u256 words = shift_left(numerator, shift);
#pragma clang loop unroll(disable)
  for (u32 word = 0; word < 4; word++) {
    const u64 next = static_cast<u64>(words.high >> 64);
    const bool is_zero = (remainder | next) == 0;
    const u64_division step =
        is_zero ? u64_division{0, 0} : divide_normalized(remainder, next, normalized);
    remainder = step.remainder;
    words.high = words.high << 64 | words.low >> 64;
    words.low = words.low << 64 | step.quotient;
  }
  return {words, remainder >> shift};
}

// numerator / divisor for a divisor below 2^127 that is not 0, bit by bit.
ARIADNE_FUNCTION u256_division divide_by_bits(u256 numerator, u128 divisor) {
  const u32 zeros =
      numerator.high != 0 ? 128 - bit_length(numerator.high) : 256 - bit_length(numerator.low);
  u256 rest = zeros < 256 ? shift_left(numerator, zeros) : numerator;
  u128 remainder = 0;
#pragma clang loop unroll(disable)
  for (u32 bit = zeros; bit < 256; bit++) {
    remainder = remainder << 1 | rest.high >> 127;
    rest = shift_left(rest, 1);
    if (remainder >= divisor) {
      remainder -= divisor;
      rest.low |= 1;
    }
  }
  // After zeros shifts at the start and one per bit, rest holds quotient bits only.
  return {rest, remainder};
}

// numerator / divisor for a divisor below 2^127 that is not 0. Division by digits is faster, but on
// a GPU it would set the number of registers of every kernel that holds it.
ARIADNE_FUNCTION u256_division divide(u256 numerator, u128 divisor) {
  if constexpr (target::kHasManyRegisters) {
    if (divisor >> 64 == 0) {
      return divide(numerator, static_cast<u64>(divisor));
    }
  }
  return divide_by_bits(numerator, divisor);
}

// The double nearest to the value, ties to even; `sticky` says that the true value is slightly
// more.
ARIADNE_INLINE f64 nearest_f64(u128 value, bool sticky) {
  const u32 length = bit_length(value);
  if (length <= 64) {
    return static_cast<f64>(static_cast<u64>(value) | (sticky && length > 54 ? 1 : 0));
  }
  const u32 shift = length - 64;
  const bool lost = sticky || (value & ((static_cast<u128>(1) << shift) - 1)) != 0;
  const u64 top = static_cast<u64>(value >> shift) | (lost ? 1 : 0);
  return static_cast<f64>(top) * __builtin_bit_cast(f64, static_cast<u64>(1023 + shift) << 52);
}

}  // namespace element
