// Decimals as unscaled integers: rescaling, exact arithmetic with one HALF_UP rounding, and the
// overflow test of Spark's Decimal.toPrecision. Powers of ten up to 10^38; division by one of them
// is a multiplication by a reciprocal (T. Granlund and P. Montgomery, "Division by invariant
// integers using multiplication", PLDI 1994, with dividends of at most 63 or 127 bits).
#pragma once

#include "element/wide.cuh"

namespace element {

inline constexpr u32 kMaxPrecision = 38;       // digits of a decimal
inline constexpr u32 kMaxShortPrecision = 18;  // digits that fit 64 bits

// Power of ten with what is needed to divide by it: quotient = high half of a * reciprocal >>
// shift.
template <typename T>
struct power_of_ten {
  T value;
  T reciprocal;
  u32 shift;
};

template <typename T, u32 Count>
struct powers_of_ten {
  power_of_ten<T> entry[Count];

  // reciprocal = ceil(2^(bits - 1 + log) / value) with log = ceil(log2(value)).
  constexpr powers_of_ten() : entry() {
    constexpr u32 bits = sizeof(T) * 8;
    T value = 1;
    for (u32 k = 0; k < Count; k++) {
      u32 log = 0;
      while (log < bits - 1 && (static_cast<T>(1) << log) < value) {
        log++;
      }
      T quotient = 0;
      T rest = 0;
      for (u32 bit = 0; bit < bits + log; bit++) {
        rest = static_cast<T>(rest * 2) + (bit == 0 ? 1 : 0);
        quotient = static_cast<T>(quotient * 2);
        if (rest >= value) {
          rest -= value;
          quotient++;
        }
      }
      entry[k].value = value;
      entry[k].reciprocal = quotient + (rest != 0 ? 1 : 0);
      entry[k].shift = log == 0 ? 0 : log - 1;  // 10^0 is handled apart
      value *= 10;
    }
  }
};

ARIADNE_INLINE power_of_ten<u64> short_power_of_ten(u32 exponent) {
  static constexpr powers_of_ten<u64, kMaxShortPrecision + 1> table;
  return table.entry[exponent];
}

ARIADNE_INLINE power_of_ten<u128> long_power_of_ten(u32 exponent) {
  static constexpr powers_of_ten<u128, kMaxPrecision + 1> table;
  return table.entry[exponent];
}

// a / power for a of at most 2^63.
ARIADNE_INLINE u64 quotient(u64 a, const power_of_ten<u64>& power) {
  const u64 high = static_cast<u64>(static_cast<u128>(a) * power.reciprocal >> 64);
  return power.value == 1 ? a : high >> power.shift;
}
// The same for a of at most 2^127.
ARIADNE_INLINE u128 quotient(u128 a, const power_of_ten<u128>& power) {
  return power.value == 1 ? a : multiply_high(a, power.reciprocal) >> power.shift;
}

// a / power rounded: towards zero, or to the nearest with ties away from zero.
template <bool HalfUp>
ARIADNE_INLINE i64 divide_by(i64 a, const power_of_ten<u64>& power) {
  const u64 absolute = a < 0 ? -static_cast<u64>(a) : static_cast<u64>(a);
  u64 result = quotient(absolute, power);
  if constexpr (HalfUp) {
    result += 2 * (absolute - result * power.value) >= power.value ? 1 : 0;
  }
  return static_cast<i64>(a < 0 ? -result : result);
}
template <bool HalfUp>
ARIADNE_INLINE i128 divide_by(i128 a, const power_of_ten<u128>& power) {
  const u128 absolute = magnitude(a);
  u128 result = quotient(absolute, power);
  if constexpr (HalfUp) {
    result += 2 * (absolute - result * power.value) >= power.value ? 1 : 0;
  }
  return with_sign(result, a < 0);
}

// Whether |a| has more digits than the power's exponent: Decimal.toPrecision fails.
ARIADNE_INLINE bool exceeds(i64 a, const power_of_ten<u64>& power) {
  return (a < 0 ? -static_cast<u64>(a) : static_cast<u64>(a)) >= power.value;
}
ARIADNE_INLINE bool exceeds(i128 a, const power_of_ten<u128>& power) {
  return magnitude(a) >= power.value;
}

// A decimal result; the value is 0 where it overflows.
struct decimal_result {
  i128 value;
  bool overflow;
};

// How an exact decimal operation scales its operands and its result.
struct decimal_scaling {
  u32 up_a;
  u32 up_b;
  u32 down;
  u32 precision;
};

// The fields of an instruction's imm.
ARIADNE_INLINE decimal_scaling unpack_scaling(i64 imm) {
  const u64 bits = static_cast<u64>(imm);
  return {static_cast<u32>(bits & 0xff), static_cast<u32>(bits >> 8 & 0xff),
          static_cast<u32>(bits >> 16 & 0xff), static_cast<u32>(bits >> 24 & 0xff)};
}

ARIADNE_INLINE decimal_result finish(u256 absolute, bool negative, u32 precision) {
  const bool overflow = absolute.high != 0 || absolute.low >= long_power_of_ten(precision).value;
  return {overflow ? 0 : with_sign(absolute.low, negative), overflow};
}

// absolute / 10^down, ties away from zero. Digits dropped before the last division cannot change
// whether the rest of that division reaches one half.
ARIADNE_FUNCTION u256 round_half_up(u256 absolute, u32 down) {
  if (down == 0) {
    return absolute;
  }
  if (absolute.high == 0 && absolute.low >> 127 == 0 && down <= kMaxPrecision) {
    const u128 a = absolute.low;
    const power_of_ten<u128> power = long_power_of_ten(down);
    const u128 result = quotient(a, power);
    return {result + (a - result * power.value >= power.value / 2 ? 1 : 0), 0};
  }
  constexpr u32 step = target::kHasManyRegisters ? kMaxShortPrecision : kMaxPrecision;
  u256 rest = absolute;
  u32 left = down;
#pragma clang loop unroll(disable)
  while (left > step) {
    rest = divide(rest, long_power_of_ten(step).value).quotient;
    left -= step;
  }
  const u128 last = long_power_of_ten(left).value;
  const u256_division division = divide(rest, last);
  return add(division.quotient, {division.remainder >= last / 2 ? 1u : 0u, 0});
}

ARIADNE_INLINE u256 scaled(i128 a, u32 up) {
  const u256 product = multiply_wide(magnitude(a), long_power_of_ten(up).value);
  return a < 0 ? negate(product) : product;
}

// (a * 10^up_a + b * 10^up_b) / 10^down.
ARIADNE_FUNCTION decimal_result add(i128 a, i128 b, decimal_scaling scaling) {
  const u256 sum = add(scaled(a, scaling.up_a), scaled(b, scaling.up_b));
  const bool negative = is_negative(sum);
  const u256 absolute = negative ? negate(sum) : sum;
  return finish(round_half_up(absolute, scaling.down), negative, scaling.precision);
}

// a * b / 10^down.
ARIADNE_FUNCTION decimal_result multiply(i128 a, i128 b, decimal_scaling scaling) {
  const u256 product = multiply_wide(magnitude(a), magnitude(b));
  return finish(round_half_up(product, scaling.down), (a < 0) != (b < 0), scaling.precision);
}

// a * 10^up_a / 10^down.
ARIADNE_FUNCTION decimal_result rescale(i128 a, decimal_scaling scaling) {
  const u256 product = multiply_wide(magnitude(a), long_power_of_ten(scaling.up_a).value);
  return finish(round_half_up(product, scaling.down), a < 0, scaling.precision);
}

// a * 10^up for up to 76; what does not fit 255 bits becomes 2^255, whose quotient by any decimal
// exceeds 38 digits.
ARIADNE_INLINE u256 saturating_scale(u128 a, u32 up) {
  const u32 first = up < kMaxPrecision ? up : kMaxPrecision;
  const u256 product = multiply_wide(a, long_power_of_ten(first).value);
  if (up == first) {
    return product;
  }
  const u128 factor = long_power_of_ten(up - first).value;
  const u256 low = multiply_wide(product.low, factor);
  const u256 high = multiply_wide(product.high, factor);
  const u128 top = low.high + high.low;
  if (high.high != 0 || top < low.high || top >> 127 != 0) {
    return {0, static_cast<u128>(1) << 127};
  }
  return {low.low, top};
}

// a * 10^up_a / (b * 10^down); 0 without overflow for b = 0.
ARIADNE_FUNCTION decimal_result divide(i128 a, i128 b, decimal_scaling scaling) {
  if (b == 0) {
    return {0, false};
  }
  const u256 divisor = saturating_scale(magnitude(b), scaling.down);
  if (divisor.high != 0 || divisor.low >> 127 != 0) {
    // |a| is below 10^38 < 2^127 and up_a is 0 whenever down is not: the quotient is below one.
    const u256 twice = shift_left({magnitude(a), 0}, 1);
    const bool half = divisor.high == 0 && twice.low >= divisor.low;
    return {half ? ((a < 0) != (b < 0) ? -1 : 1) : 0, false};
  }
  const u256 numerator = saturating_scale(magnitude(a), scaling.up_a);
  const u256_division division = divide(numerator, divisor.low);
  const bool round = division.remainder >= divisor.low - division.remainder;
  const u256 rounded = add(division.quotient, {round ? 1u : 0u, 0});
  return finish(rounded, (a < 0) != (b < 0), scaling.precision);
}

// (a * 10^up_a) % (b * 10^up_b) with the sign of a; 0 without overflow for b = 0. The scales of a
// decimal differ by at most 38 and one of up_a, up_b is 0.
ARIADNE_FUNCTION decimal_result remainder(i128 a, i128 b, decimal_scaling scaling) {
  if (b == 0) {
    return {0, false};
  }
  const u256 divisor = multiply_wide(magnitude(b), long_power_of_ten(scaling.up_b).value);
  const u256 numerator = multiply_wide(magnitude(a), long_power_of_ten(scaling.up_a).value);
  const bool below = divisor.high != 0 || divisor.low >> 127 != 0;
  const u128 rest = below ? numerator.low : divide(numerator, divisor.low).remainder;
  return finish({rest, 0}, a < 0, scaling.precision);
}

// The double nearest to a / 10^scale, ties to even: BigDecimal.doubleValue.
ARIADNE_FUNCTION f64 to_f64(i128 a, u32 scale) {
  constexpr u32 guarded_bits = 64;  // quotient bits kept: more than a double has and a sticky bit
  const u128 absolute = magnitude(a);
  const u128 power = long_power_of_ten(scale).value;
  const u32 power_bits = bit_length(power);
  const u32 needed = guarded_bits + power_bits;
  const u32 up = bit_length(absolute) >= needed ? 0 : needed - bit_length(absolute);
  const u256_division division = divide(shift_left({absolute, 0}, up), power);
  const f64 integer = nearest_f64(division.quotient.low, division.remainder != 0);
  const f64 result = integer * __builtin_bit_cast(f64, static_cast<u64>(1023 - up) << 52);
  return a < 0 ? -result : result;
}

// The same for values of at most 18 digits: exact operands make one division right.
ARIADNE_INLINE f64 to_f64(i64 a, u32 scale) {
  const bool is_short = a > -(1ll << 53) && a < 1ll << 53;
  if (is_short) {
    return static_cast<f64>(a) / static_cast<f64>(short_power_of_ten(scale).value);
  }
  return to_f64(static_cast<i128>(a), scale);
}

}  // namespace element
