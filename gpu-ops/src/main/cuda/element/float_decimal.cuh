// Doubles rounded as the decimal numbers that Double.toString shows.
//
// Source: org.apache.spark.sql.catalyst.expressions.RoundBase, Cast.castToDecimal,
// org.apache.spark.sql.types.Decimal (set, changePrecision) of Spark 3.5 and 4.1.
#pragma once

#include "element/float_digits.cuh"
#include "element/nearest_float.cuh"

namespace element {

// How a double's digits are rounded; packed in the 64 bits of an instruction.
struct digit_rounding {
  i32 scale;  // digits behind the point that are kept
  u32 precision;
  bool is_classic;  // digits as before JDK 19
  bool is_half_even;
  bool is_float;  // the result is a float
};

// scale | precision << 32 | classic << 40 | half even << 41 | float << 42
ARIADNE_INLINE digit_rounding unpack_rounding(i64 imm) {
  return {static_cast<i32>(imm), static_cast<u32>(imm >> 32 & 0xff), (imm >> 40 & 1) != 0,
          (imm >> 41 & 1) != 0, (imm >> 42 & 1) != 0};
}

// The digits of a finite number other than zero.
ARIADNE_INLINE float_digits digits_of(f64 a, bool is_classic) {
  const binary_float number = to_binary_float(static_cast<u64>(as_bits(a)) & ~kSignBit);
  return is_classic ? classic_digits(number) : shortest_digits(number);
}

// digits / 10^count, rounded; digits have at most 18 digits.
ARIADNE_INLINE u64 drop_digits(u64 digits, u32 count, bool is_half_even) {
  if (count > kMaxShortPrecision) {
    return 0;
  }
  const power_of_ten<u64> power = short_power_of_ten(count);
  const u64 whole = quotient(digits, power);
  const u64 rest = 2 * (digits - whole * power.value);
  const bool is_up =
      rest > power.value || (rest == power.value && (!is_half_even || whole % 2 != 0));
  return whole + (is_up ? 1 : 0);
}

// A tie of integral numbers is a double itself, so its text is on the same side of it. Below 2^52.
ARIADNE_INLINE f64 round_integral(f64 a, bool is_half_even) {
  const u64 whole = static_cast<u64>(absolute(a));
  const f64 fraction = absolute(a) - static_cast<f64>(whole);
  const bool is_up =
      fraction > 0.5 || (fraction == 0.5 && (!is_half_even || (whole & 1) != 0));
  const f64 result = static_cast<f64>(whole + (is_up ? 1 : 0));
  return a < 0.0 && result != 0.0 ? -result : result;
}

ARIADNE_FUNCTION f64 round_digits(f64 a, digit_rounding rounding) {
  if (!(absolute(a) <= 1.7976931348623157e308)) {
    return a;
  }
  if (a == 0.0) {
    return 0.0;
  }
  if (rounding.scale == 0 && absolute(a) < 4503599627370496.0) {
    return round_integral(a, rounding.is_half_even);
  }
  const float_digits digits = digits_of(a, rounding.is_classic);
  if (-digits.exponent <= rounding.scale) {
    // The classic text of a large double need not read back as itself, but as its neighbour.
    const bool is_itself = !rounding.is_classic || rounding.is_float || absolute(a) < 1e26;
    const f64 read = is_itself ? absolute(a) : nearest_float(digits.digits, digits.exponent, false);
    return a < 0.0 ? -read : read;
  }
  const u32 dropped = static_cast<u32>(-digits.exponent - rounding.scale);
  const u64 kept = drop_digits(digits.digits, dropped, rounding.is_half_even);
  const f64 result = nearest_float(kept, -rounding.scale, rounding.is_float);
  return a < 0.0 && kept != 0 ? -result : result;
}

// Ties away from zero; what is not finite is 0.
ARIADNE_FUNCTION decimal_result to_decimal(f64 a, digit_rounding rounding) {
  if (!(absolute(a) <= 1.7976931348623157e308) || a == 0.0) {
    return {0, false};
  }
  const float_digits digits = digits_of(a, rounding.is_classic);
  const i32 shift = digits.exponent + rounding.scale;
  u128 value = 0;
  if (shift <= 0) {
    value = drop_digits(digits.digits, static_cast<u32>(-shift), false);
  } else if (shift < static_cast<i32>(kMaxPrecision)) {
    const u256 product =
        multiply_wide(digits.digits, long_power_of_ten(static_cast<u32>(shift)).value);
    value = product.high != 0 ? ~static_cast<u128>(0) : product.low;
  }
  const bool overflows = shift >= static_cast<i32>(kMaxPrecision) ||
                         value >= long_power_of_ten(rounding.precision).value;
  return {overflows ? 0 : with_sign(value, a < 0.0), overflows};
}

}  // namespace element
