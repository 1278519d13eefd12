// The double, or the float, nearest to a decimal number, ties to even: what Java reads.
//
// Source: D. Lemire, "Number parsing at a gigabyte per second" (2021), and N. Mushtak and
// D. Lemire, "Fast number parsing without fallback" (2023), which proves that a power of ten of 128
// bits is enough for any 64 bits of digits.
#pragma once

#include "element/binary_power.cuh"
#include "element/floating.cuh"

namespace element {

// What differs between the kinds of numbers.
struct float_format {
  i32 fraction_bits;
  i32 bias;
  i32 max_exponent;  // all ones: infinity
  i32 min_tie;       // powers of ten with which digits may lie between two numbers exactly
  i32 max_tie;
  i32 min_power;  // below all is 0
  i32 max_power;  // above all is infinite
};

ARIADNE_INLINE float_format float_format_of(bool is_float) {
  return {is_float ? 23 : 52, is_float ? 127 : 1023, is_float ? 255 : 2047, is_float ? -17 : -4,
          is_float ? 10 : 23, is_float ? -65 : -342, is_float ? 38 : 308};
}

// digits * 10^power to 128 bits and 2^exponent: too little by less than a unit of the last place of
// `high` and one of `low`; `digits` has its top bit set.
ARIADNE_INLINE u128 product_with_power(u64 digits, i32 power, u64 precision_mask) {
  binary_power factor = binary_power_of_ten(power);
  if (power < 0) {  // rounded up
    factor.low += 1;
    factor.high += factor.low == 0 ? 1 : 0;
  }
  u128 product = static_cast<u128>(digits) * factor.high;
  if ((static_cast<u64>(product >> 64) & precision_mask) == precision_mask) {
    product += static_cast<u64>(static_cast<u128>(digits) * factor.low >> 64);
  }
  return product;
}

// The bits of the number nearest to digits * 10^power.
ARIADNE_INLINE u64 nearest_float_bits(u64 digits, i32 power, bool is_float) {
  const float_format format = float_format_of(is_float);
  const u64 infinity = static_cast<u64>(format.max_exponent) << format.fraction_bits;
  if (digits == 0 || power < format.min_power) {
    return 0;
  }
  if (power > format.max_power) {
    return infinity;
  }
  const i32 zeros = __builtin_clzll(digits);
  const u128 product =
      product_with_power(digits << zeros, power, ~0ull >> (format.fraction_bits + 3));
  const u64 high = static_cast<u64>(product >> 64);
  const i32 top = static_cast<i32>(high >> 63);
  const i32 shift = top + 64 - format.fraction_bits - 3;
  u64 significand = high >> shift;
  i32 exponent = floor_log2_of_power_of_ten(power) + 63 + top - zeros + format.bias;
  if (exponent <= 0) {
    const i32 lost = 1 - exponent;
    if (lost >= 64) {
      return 0;
    }
    significand >>= lost;
    return (significand + (significand & 1)) >> 1;  // a carry makes it a normal number
  }
  const bool may_tie = power >= format.min_tie && power <= format.max_tie;
  if (may_tie && static_cast<u64>(product) <= 1 && (significand & 3) == 1 &&
      significand << shift == high) {
    significand -= 1;
  }
  significand = (significand + (significand & 1)) >> 1;
  if (significand >> (format.fraction_bits + 1) != 0) {
    significand >>= 1;
    exponent++;
  }
  if (exponent >= format.max_exponent) {
    return infinity;
  }
  const u64 fraction = significand & ((1ull << format.fraction_bits) - 1);
  return static_cast<u64>(exponent) << format.fraction_bits | fraction;
}

// The number as a double; a float's value is one, too.
ARIADNE_INLINE f64 nearest_float(u64 digits, i32 power, bool is_float) {
  const u64 bits = nearest_float_bits(digits, power, is_float);
  return is_float ? static_cast<f64>(__builtin_bit_cast(f32, static_cast<u32>(bits)))
                  : as_f64(static_cast<i64>(bits));
}

}  // namespace element
