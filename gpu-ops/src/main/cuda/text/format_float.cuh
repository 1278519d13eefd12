// Double.toString and Float.toString, put into a sink: see element/float_digits.cuh.
#pragma once

#include "element/float_digits.cuh"
#include "text/digits.cuh"

namespace text {

// Digits d.ddd behind which the exponent of the first one follows.
template <typename Sink>
ARIADNE_INLINE void format_with_exponent(u64 digits, u32 count, i32 exponent, Sink& sink) {
  const element::power_of_ten<u64> power = element::short_power_of_ten(count - 1);
  const u64 first = element::quotient(digits, power);
  sink.put(static_cast<u8>('0' + first));
  sink.put('.');
  sink.put_digits(digits - first * power.value, count == 1 ? 1 : count - 1);
  sink.put('E');
  if (exponent < 0) {
    sink.put('-');
  }
  const u32 absolute = static_cast<u32>(exponent < 0 ? -exponent : exponent);
  sink.put_digits(absolute, absolute < 10 ? 1 : (absolute < 100 ? 2 : 3));
}

// A number from 0.001 on and below 10^7 has no exponent.
template <typename Sink>
ARIADNE_INLINE void format_digits(const element::float_digits& value, Sink& sink) {
  const u32 count = count_digits(value.digits);
  const i32 point = static_cast<i32>(count) + value.exponent;  // digits before it
  if (point <= -3 || point >= 8) {
    format_with_exponent(value.digits, count, point - 1, sink);
  } else if (value.exponent >= 0) {
    const u32 zeros = static_cast<u32>(value.exponent);
    sink.put_digits(value.digits * element::short_power_of_ten(zeros).value, count + zeros);
    sink.put('.');
    sink.put('0');
  } else {
    const u32 fraction = static_cast<u32>(-value.exponent);  // digits, up to 19
    const u32 upper = fraction > 18 ? fraction - 18 : 0;     // of these, those in front are zeros
    const element::power_of_ten<u64> power = element::short_power_of_ten(fraction - upper);
    const u64 whole = point > 0 ? element::quotient(value.digits, power) : 0;
    sink.put_digits(whole, point > 0 ? static_cast<u32>(point) : 1);
    sink.put('.');
    if (upper != 0) {
      sink.put_digits(0, upper);
    }
    sink.put_digits(value.digits - whole * power.value, fraction - upper);
  }
}

template <typename Sink>
ARIADNE_INLINE void put_letters(u64 letters, Sink& sink) {
#pragma clang loop unroll(disable)
  for (u64 left = letters; left != 0; left >>= 8) {
    sink.put(static_cast<u8>(left));
  }
}

// The text of a double, or of a float in the lower half.
template <bool IsClassic, typename Sink>
ARIADNE_INLINE void format_floating(u64 bits, bool is_float, Sink& sink) {
  constexpr u64 infinity = 0x7ff0000000000000;
  constexpr u64 float_infinity = 0x7f800000;
  const u64 sign = is_float ? 1ull << 31 : element::kSignBit;
  const u64 magnitude = bits & (sign - 1);
  const u64 limit = is_float ? float_infinity : infinity;
  if (magnitude > limit) {
    put_letters(0x4e614e, sink);  // NaN
    return;
  }
  if ((bits & sign) != 0) {
    sink.put('-');
  }
  if (magnitude == limit) {
    put_letters(0x7974696e69666e49, sink);  // Infinity
    return;
  }
  if (magnitude == 0) {
    put_letters(0x302e30, sink);
    return;
  }
  const element::binary_float number =
      is_float ? element::to_binary_float_of_float(static_cast<u32>(magnitude))
               : element::to_binary_float(magnitude);
  format_digits(IsClassic ? element::classic_digits(number) : element::shortest_digits(number),
                sink);
}

}  // namespace text
