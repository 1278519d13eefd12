// Decimal digits of whole numbers.
#pragma once

#include "element/decimal.cuh"

namespace text {

// Decimal digits of a number below 10^19, at least one.
ARIADNE_INLINE u32 count_digits(u64 value) {
  const u32 estimate = element::bit_length(value) * 1233 >> 12;
  const u32 power = estimate < element::kMaxShortPrecision ? estimate : element::kMaxShortPrecision;
  const u32 count = value < element::short_power_of_ten(power).value ? power : power + 1;
  return count == 0 ? 1 : count;
}

// A number below 10^38 in parts of 18 digits.
struct long_digits {
  u64 high;
  u64 middle;
  u64 low;
};

ARIADNE_INLINE long_digits split(u128 value) {
  const element::power_of_ten<u128> power = element::long_power_of_ten(18);
  const u128 upper = element::quotient(value, power);
  const u128 top = element::quotient(upper, power);
  return {static_cast<u64>(top), static_cast<u64>(upper - top * power.value),
          static_cast<u64>(value - upper * power.value)};
}

ARIADNE_INLINE u32 count_digits(const long_digits& digits) {
  if (digits.high != 0) {
    return 36 + count_digits(digits.high);
  }
  return digits.middle != 0 ? 18 + count_digits(digits.middle) : count_digits(digits.low);
}

// The last `count` digits of a number, zeros in front; more has it not.
template <typename Sink>
ARIADNE_INLINE void put_long(const long_digits& digits, u32 count, Sink& sink) {
  if (count > 36) {
    sink.put_digits(digits.high, count - 36);
  }
  if (count > 18) {
    sink.put_digits(digits.middle, count > 36 ? 18 : count - 18);
  }
  sink.put_digits(digits.low, count > 18 ? 18 : count);
}

}  // namespace text
