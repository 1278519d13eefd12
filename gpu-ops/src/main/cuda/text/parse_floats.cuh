// What double or float a string says, as Spark's CAST reads it: what Double.parseDouble takes, and
// the names of infinity and of what is not a number in any case.
//
// Source: org.apache.spark.sql.catalyst.expressions.Cast (castToDouble,
// processFloatingPointSpecialLiterals) of Spark 3.5 and 4.1, java.lang.Double.valueOf.
#pragma once

#include "element/nearest_float.cuh"
#include "text/parse_numbers.cuh"

namespace text {

// Strings longer than this, and exponents beyond, are for Spark.
inline constexpr u32 kMaxFloatText = 1 << 20;

// The digits of a number: leading * 10^exponent, or up to a unit of the last digit more.
struct leading_digits {
  u64 leading;  // up to 19 digits from the first that is not 0 on
  i32 exponent;
  bool is_truncated;  // there are more digits that are not 0
};

// String.trim.
template <typename A>
ARIADNE_INLINE range trim_spaces(A& a) {
  range kept = {0, a.length};
#pragma clang loop unroll(disable)
  while (kept.from < kept.to && a.byte(kept.from) <= ' ') {
    kept.from++;
  }
#pragma clang loop unroll(disable)
  while (kept.from < kept.to && a.byte(kept.to - 1) <= ' ') {
    kept.to--;
  }
  return kept;
}

// inf, infinity and nan in any case; NaN may have a sign only if it is written so.
template <typename A>
ARIADNE_INLINE parsing parse_special(A& a, range kept, bool is_signed, u64 sign, bool is_float,
                                     u64& bits) {
  const u32 length = kept.to - kept.from;
  if (length != 3 && length != 8) {
    return parsing::malformed;
  }
  u64 word = 0;
  u64 lower = 0;
#pragma clang loop unroll(disable)
  for (u32 i = kept.from; i < kept.to; i++) {
    const u8 byte = a.byte(i);
    word = word << 8 | byte;
    lower = lower << 8 | (static_cast<u8>(byte - 'A') < 26 ? byte | 0x20 : byte);
  }
  constexpr u64 of_nan = 0x4e614e;
  constexpr u64 of_lower_nan = 0x6e616e;
  constexpr u64 of_inf = 0x696e66;
  constexpr u64 of_infinity = 0x696e66696e697479;
  const bool is_short = length == 3;  // zero bytes may stand before a word
  if (is_short && (word == of_nan || (lower == of_lower_nan && !is_signed))) {
    bits = is_float ? 0x7fc00000 : element::kCanonicalNan;
    return parsing::value;
  }
  bits = (is_float ? 0x7f800000 : 0x7ff0000000000000) | sign;
  return lower == (is_short ? of_inf : of_infinity) ? parsing::value : parsing::malformed;
}

// Digits with at most one point among them.
template <typename A>
ARIADNE_INLINE bool read_digits(A& a, u32& place, u32 end, leading_digits& digits) {
  constexpr u64 full = 1000000000000000000;  // 19 digits
  bool has_digit = false;
  bool has_point = false;
#pragma clang loop unroll(disable)
  for (; place < end; place++) {
    const u8 byte = a.byte(place);
    const u32 digit = digit_of(byte);
    if (digit <= 9) {
      has_digit = true;
      const bool is_kept = digits.leading < full;
      digits.leading = is_kept ? digits.leading * 10 + digit : digits.leading;
      digits.is_truncated = digits.is_truncated || (!is_kept && digit != 0);
      digits.exponent += (is_kept ? 0 : 1) - (has_point ? 1 : 0);
    } else if (byte == '.' && !has_point) {
      has_point = true;
    } else {
      break;
    }
  }
  return has_digit;
}

// The exponent from behind the e on.
template <typename A>
ARIADNE_INLINE bool read_float_exponent(A& a, u32& place, u32 end, i32& exponent) {
  const bool is_signed = place < end && (a.byte(place) == '-' || a.byte(place) == '+');
  const bool is_negative = is_signed && a.byte(place) == '-';
  place += is_signed ? 1 : 0;
  const u32 first = place;
  i32 value = 0;
#pragma clang loop unroll(disable)
  for (; place < end && digit_of(a.byte(place)) <= 9; place++) {
    const i32 next = value * 10 + static_cast<i32>(digit_of(a.byte(place)));
    value = value >= static_cast<i32>(kMaxFloatText) * 4 ? value : next;
  }
  exponent += is_negative ? -value : value;
  return place > first;
}

// Bits of a double, or of a float.
template <typename A>
ARIADNE_INLINE parsing parse_floating(A& a, bool is_float, u64& bits) {
  if (a.length > kMaxFloatText) {
    return parsing::unknown;
  }
  const range kept = trim_spaces(a);
  u32 place = kept.from;
  const bool is_signed = place < kept.to && (a.byte(place) == '-' || a.byte(place) == '+');
  const bool is_negative = is_signed && a.byte(place) == '-';
  place += is_signed ? 1 : 0;
  const u64 sign = is_negative ? (is_float ? 1ull << 31 : element::kSignBit) : 0;
  const u8 first = place < kept.to ? a.byte(place) : 0;
  if (digit_of(first) > 9 && first != '.') {
    return parse_special(a, {place, kept.to}, is_signed, sign, is_float, bits);
  }
  if (first == '0' && place + 1 < kept.to && (a.byte(place + 1) | 0x20) == 'x') {
    return parsing::unknown;
  }
  leading_digits digits = {0, 0, false};
  if (!read_digits(a, place, kept.to, digits)) {
    return parsing::malformed;
  }
  if (place < kept.to && (a.byte(place) | 0x20) == 'e') {
    place++;
    if (!read_float_exponent(a, place, kept.to, digits.exponent)) {
      return parsing::malformed;
    }
  }
  if (place < kept.to) {
    const u8 suffix = a.byte(place) | 0x20;
    if (place + 1 != kept.to || (suffix != 'd' && suffix != 'f')) {
      return parsing::malformed;
    }
  }
  bits = element::nearest_float_bits(digits.leading, digits.exponent, is_float);
  const bool is_sure =
      !digits.is_truncated ||
      bits == element::nearest_float_bits(digits.leading + 1, digits.exponent, is_float);
  bits |= sign;
  return is_sure ? parsing::value : parsing::unknown;
}

}  // namespace text
