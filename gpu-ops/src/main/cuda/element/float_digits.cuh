// The decimal digits that Java shows of a double or a float.
//
// Since JDK 19 these are the fewest that tell the number from its neighbours, of which the nearest
// to the number; but two digits where one would do. See R. Giulietti, "The Schubfach way to render
// doubles" (2020): the multiples of a power of ten around the number are compared with the borders
// of what rounds to it, in multiples of a quarter of that power, rounded to odd.
//
// Before, digits were generated from the first one on until what is left was less than half a unit
// in the last place, or more than a digit less that (G. Steele and J. White, "How to print
// floating-point numbers accurately", PLDI 1990). That is the shortest multiple between the same
// borders, with these differences (observed, and compared with those JDKs number by number):
//  - of a power of two both borders are as far away as the nearer one is;
//  - the lower border is outside, the upper one inside, whether the significand is even or odd;
//    where all intermediate numbers fit 63 bits the upper one is outside, too;
//  - whole numbers below 2^63 have all their digits, without those that are less than a quarter of
//    a unit in the last place: the digits are cut there, rounding up from one half.
#pragma once

#include "element/binary_power.cuh"
#include "element/decimal.cuh"
#include "element/floating.cuh"

namespace element {

// digits * 10^exponent; digits are below 10^19 and 0 only for zero.
struct float_digits {
  u64 digits;
  i32 exponent;
};

// A number other than zero: significand * 2^exponent with the significand's `bits` as many as the
// number has significant ones, fewer for subnormal numbers.
struct binary_float {
  u64 significand;
  i32 exponent;
  bool is_narrow;  // the number below is half as far away as the one above
  bool is_float;
};

ARIADNE_INLINE binary_float to_binary_float(u64 magnitude) {
  const u64 fraction = magnitude & ((1ull << 52) - 1);
  return {significand(magnitude), unit_exponent(magnitude) - 1075,
          fraction == 0 && magnitude >> 52 > 1, false};
}
// The same of a float's bits without the sign.
ARIADNE_INLINE binary_float to_binary_float_of_float(u32 magnitude) {
  const u32 fraction = magnitude & 0x7fffff;
  const i32 biased = static_cast<i32>(magnitude >> 23);
  return {biased == 0 ? fraction : fraction | 0x800000u, (biased == 0 ? 1 : biased) - 150,
          fraction == 0 && biased > 1, true};
}

// Without zeros at the end.
ARIADNE_INLINE float_digits strip_zeros(u64 digits, i32 exponent) {
  float_digits result = {digits, exponent};
#pragma clang loop unroll(disable)
  for (u32 count = 16; count != 0; count /= 2) {
    const power_of_ten<u64> power = short_power_of_ten(count);
    const u64 upper = quotient(result.digits, power);
    if (upper * power.value == result.digits) {
      result.digits = upper;
      result.exponent += static_cast<i32>(count);
    }
  }
  return result;
}

// floor(quarters * 10^-k ...) of a number scaled by a power of ten, the lowest bit set where it is
// not whole. The factor is the power's upper 126 bits, rounded up.
ARIADNE_INLINE u64 scaled_to_odd(u128 factor, u64 value) {
  const u64 low = static_cast<u64>(factor);
  const u64 high = static_cast<u64>(factor >> 64);
  const u64 carry = static_cast<u64>(static_cast<u128>(low) * value >> 64);
  const u128 product = static_cast<u128>(high) * value + carry;
  const u64 whole = static_cast<u64>(product >> 63);
  return whole | ((static_cast<u64>(product) << 1) != 0 ? 1 : 0);
}

// A number and its borders in quarters of 10^exponent, rounded to odd.
struct decimal_interval {
  u64 lower;
  u64 value;
  u64 upper;
  i32 exponent;
};

// `significand` times four, and the distances of the borders, in units of 2^(exponent - 2).
ARIADNE_INLINE decimal_interval to_interval(u64 quarters, u32 below, u32 above, i32 exponent,
                                            i32 power) {
  const binary_power bits = binary_power_of_ten(-power);
  const u128 factor = ((static_cast<u128>(bits.high) << 64 | bits.low) >> 2) + 1;
  const u32 shift = static_cast<u32>(exponent + floor_log2_of_power_of_ten(-power) + 2);
  return {scaled_to_odd(factor, (quarters - below) << shift),
          scaled_to_odd(factor, quarters << shift),
          scaled_to_odd(factor, (quarters + above) << shift), power};
}

// The multiple of 10^exponent, or of 10 times that, which is chosen: of the two around the value
// the one between the borders, of both the nearer one, of equally near ones the even one. A border
// lies inside unless its `open` is 1.
ARIADNE_INLINE float_digits choose(const decimal_interval& in, u64 open_below, u64 open_above) {
  const u64 whole = in.value >> 2;
  if (whole >= 100) {
    const u64 down = quotient(whole, short_power_of_ten(1)) * 10;
    const u64 up = down + 10;
    const bool is_down = in.lower + open_below <= down << 2;
    const bool is_up = (up << 2) + open_above <= in.upper;
    if (is_down != is_up) {
      return strip_zeros(is_down ? down : up, in.exponent);
    }
  }
  const bool is_down = in.lower + open_below <= whole << 2;
  const bool is_up = ((whole + 1) << 2) + open_above <= in.upper;
  const u64 half = (whole << 2) + 2;
  const bool is_nearer = in.value > half || (in.value == half && (whole & 1) != 0);
  const bool rounds_up = is_down == is_up ? is_nearer : is_up;
  return strip_zeros(rounds_up ? whole + 1 : whole, in.exponent);
}

// Two digits of the least numbers, for which one would do.
ARIADNE_INLINE float_digits digits_of_tiny(const binary_float& a) {
  const u64 quarters = a.significand * 40;
  const i32 power = floor_log10_of_power_of_two(a.exponent);
  const decimal_interval in = to_interval(quarters, 2, 2, a.exponent, power);
  const u64 open = a.significand & 1;
  const float_digits ten_times = choose(in, open, open);
  return {ten_times.digits, ten_times.exponent - 1};
}

ARIADNE_INLINE bool is_tiny(const binary_float& a) { return a.significand < (a.is_float ? 8 : 3); }

// Since JDK 19.
ARIADNE_INLINE float_digits shortest_digits(const binary_float& a) {
  if (is_tiny(a)) {
    return digits_of_tiny(a);
  }
  // of 3/4 of the power where the interval is narrow
  const i32 power = (a.exponent * 315653 - (a.is_narrow ? 131008 : 0)) >> 20;
  const u64 open = a.significand & 1;
  const decimal_interval in =
      to_interval(a.significand << 2, a.is_narrow ? 1 : 2, 2, a.exponent, power);
  return choose(in, open, open);
}

// A whole number of at least 2^53 in steps of `step_bits` bits: digits that say less than a quarter
// of a step are cut.
ARIADNE_INLINE float_digits cut_digits(u64 whole, i32 step_bits) {
  const u32 count = step_bits > 1 ? static_cast<u32>(step_bits * 1233 >> 12) : 0;
  const power_of_ten<u64> power = short_power_of_ten(step_bits > 3 ? count : 0);
  const u64 upper = quotient(whole, power);
  const u64 rest = whole - upper * power.value;
  const bool rounds_up = power.value > 1 && rest >= power.value / 2;
  return strip_zeros(upper + (rounds_up ? 1 : 0), step_bits > 3 ? static_cast<i32>(count) : 0);
}

// Bits of 5^power, as the old algorithm counts them.
ARIADNE_INLINE i32 bits_of_power_of_five(i32 power) {
  const i32 bits = floor_log2_of_power_of_ten(power) - power + 1;
  return power == 0 ? 0 : (power < 27 ? bits : power * 3);
}

// The numbers with which the old algorithm starts: the value is that of the significand without
// zeros at its end, times 5^five_above * 2^above, over 5^five_below * 2^below; the margin is
// 5^five_above * 2^margin over the same.
struct classic_scale {
  i32 power;  // of ten: that of the first digit, or the next one
  i32 five_above;
  i32 five_below;
  i32 above;
  i32 below;
  i32 margin;
  i32 value_bits;    // of the numerator
  i32 divisor_bits;  // of ten times the denominator

  ARIADNE_MEMBER bool fits(i32 bits) const { return value_bits < bits && divisor_bits < bits; }
};

// `top` is the exponent of the highest bit, `count` the number of bits from there to the last one
// that is set, `precision` to the last one that might be.
ARIADNE_INLINE classic_scale to_classic_scale(u64 normalized, i32 top, i32 count, i32 precision) {
  const f64 mantissa = as_f64(static_cast<i64>((normalized & ((1ull << 52) - 1)) | 1023ull << 52));
  const f64 estimate =
      (mantissa - 1.5) * 0.289529654 + 0.176091259 + static_cast<f64>(top) * 0.301029995663981;
  classic_scale scale;
  scale.power = static_cast<i32>(__builtin_elementwise_floor(estimate));
  scale.five_above = scale.power < 0 ? -scale.power : 0;
  scale.five_below = scale.power > 0 ? scale.power : 0;
  const i32 fraction = count - top - 1 > 0 ? count - top - 1 : 0;
  const i32 unit = scale.five_above + fraction + top;
  scale.above = unit - (count - 1);
  scale.below = scale.five_below + fraction;
  scale.margin = unit - precision;
  const i32 least = scale.above < scale.below ? scale.above : scale.below;
  const i32 margin = scale.margin - least - (count == 1 ? 1 : 0);
  const i32 shift = margin < 0 ? margin + least : least;
  scale.above -= shift;
  scale.below -= shift;
  scale.margin = margin < 0 ? 0 : margin;
  scale.value_bits = count + scale.above + bits_of_power_of_five(scale.five_above);
  scale.divisor_bits = scale.below + 1 + bits_of_power_of_five(scale.five_below + 1);
  return scale;
}

// 5^power for powers of up to 27.
ARIADNE_INLINE u64 power_of_five(i32 power) {
  const i32 first = power < 18 ? power : 18;
  const i32 second = power - first;
  return (short_power_of_ten(static_cast<u32>(first)).value >> first) *
         (short_power_of_ten(static_cast<u32>(second)).value >> second);
}

// The old algorithm digit by digit in numbers of type I, whose overflows are part of it.
template <typename I>
ARIADNE_FUNCTION float_digits generate_digits(u64 significand, const classic_scale& scale) {
  const I factor = static_cast<I>(power_of_five(scale.five_above));
  const I divisor = static_cast<I>(power_of_five(scale.five_below)) << scale.below;
  const I tens = divisor * 10;
  I rest = (static_cast<I>(significand) * factor) << scale.above;
  I margin = factor << scale.margin;
  u64 digits = 0;
  i32 exponent = scale.power + 1;
  bool is_first = true;
  bool low = false;
  bool high = false;
#pragma clang loop unroll(disable)
  while (!low && !high) {
    const I digit = rest / divisor;
    rest = (rest - digit * divisor) * 10;
    margin *= 10;
    const bool is_lost = !is_first && margin <= 0;
    low = is_lost || rest < margin;
    high = is_lost || static_cast<I>(rest + margin) > tens;
    digits = digits * 10 + static_cast<u64>(digit);
    exponent--;
    if (is_first) {
      const i32 power = scale.power - (digit == 0 && !high ? 1 : 0);
      const bool has_two_digits = power < -3 || power >= 8;
      low = low && !has_two_digits;
      high = high && !has_two_digits;
      is_first = false;
    }
  }
  const I beyond_half = static_cast<I>(rest << 1) - tens;
  const bool is_nearer = beyond_half > 0 || (beyond_half == 0 && (digits & 1) != 0);
  return strip_zeros(digits + (high && (!low || is_nearer) ? 1 : 0), exponent);
}

// The subnormal numbers whose first digit the old algorithm expects too far in front, where it
// finds a one.
ARIADNE_INLINE bool is_taken_for_power(const binary_float& a) {
  return a.is_float ? a.significand == 71 : a.significand == 2 || a.significand == 20;
}

// Before JDK 19.
ARIADNE_INLINE float_digits classic_digits(const binary_float& a) {
  const i32 precision = static_cast<i32>(bit_length(a.significand));
  const i32 top = a.exponent + precision - 1;
  const u64 normalized = a.significand << (53 - precision);
  const i32 count = 53 - static_cast<i32>(__builtin_ctzll(normalized));
  if (count <= top + 1 && top <= 62) {
    return cut_digits(top >= 52 ? normalized << (top - 52) : normalized >> (52 - top),
                      top - precision - 1);
  }
  if (is_taken_for_power(a)) {
    return {1, a.is_float ? -43 : (a.significand == 2 ? -323 : -322)};
  }
  if (is_tiny(a)) {
    return digits_of_tiny(a);
  }
  u64 open_above = 0;
  if (top > -40 && top < 100) {
    const classic_scale scale = to_classic_scale(normalized, top, count, precision);
    if (scale.fits(64)) {
      const u64 significand = normalized >> (53 - count);
      open_above = 1;
      if (scale.fits(32) && scale.divisor_bits >= 30) {
        return generate_digits<i32>(significand, scale);
      }
      if (!scale.fits(32) && scale.divisor_bits >= 62) {
        return generate_digits<i64>(significand, scale);
      }
    }
  }
  const bool is_power = count == 1;
  const i32 exponent = is_power ? a.exponent - 1 : a.exponent;
  const decimal_interval in = to_interval(a.significand << (is_power ? 3 : 2), 2, 2, exponent,
                                          floor_log10_of_power_of_two(exponent));
  return choose(in, 1, open_above);
}

}  // namespace element
