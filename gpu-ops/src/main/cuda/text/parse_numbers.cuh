// What a string says, as Spark's CAST reads it: booleans, integers and decimals. Strings are any
// source of bytes, as in text.cuh.
//
// Source: org.apache.spark.unsafe.types.UTF8String (toLong, toInt, trimAll),
// org.apache.spark.sql.catalyst.util.StringUtils (isTrueString), org.apache.spark.sql.types.Decimal
// (fromString, changePrecision) of Spark 3.5 and 4.1, and java.math.BigDecimal(char[], int, int).
#pragma once

#include "element/decimal.cuh"
#include "text/text.cuh"

namespace text {

// What became of a string.
enum class parsing : u32 {
  value,
  malformed,  // Spark's CAST gives null or raises
  unknown,    // only Spark's code knows
};

// White space and control characters of ASCII, all that trimAll trims of single bytes.
ARIADNE_INLINE bool is_blank(u8 byte) { return byte <= ' ' || byte == 0x7f; }

// UTF8String.trimAll.
template <typename A>
ARIADNE_INLINE range trim_blanks(A& a) {
  range kept = {0, a.length};
#pragma clang loop unroll(disable)
  while (kept.from < kept.to && is_blank(a.byte(kept.from))) {
    kept.from++;
  }
#pragma clang loop unroll(disable)
  while (kept.from < kept.to && is_blank(a.byte(kept.to - 1))) {
    kept.to--;
  }
  return kept;
}

// The digit that a byte is; more than 9: none.
ARIADNE_INLINE u32 digit_of(u8 byte) { return static_cast<u8>(byte - '0'); }

// true, t, yes, y, 1 and their opposites, in any case: up to five letters as bits.
template <typename A>
ARIADNE_INLINE parsing parse_boolean(A& a, i64& value) {
  const range kept = trim_blanks(a);
  const u32 length = kept.to - kept.from;
  if (length == 0 || length > 5) {
    return parsing::malformed;
  }
  u64 word = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < length; i++) {
    const u8 byte = a.byte(kept.from + i);
    const u8 lower = static_cast<u8>(byte - 'A') < 26 ? byte | 0x20 : byte;
    word = word << 8 | lower;
  }
  constexpr u64 of_true = 0x74727565;
  constexpr u64 of_false = 0x66616c7365;
  constexpr u64 of_yes = 0x796573;
  constexpr u64 of_no = 0x6e6f;
  const bool is_true =
      word == of_true || word == 't' || word == of_yes || word == 'y' || word == '1';
  const bool is_false =
      word == of_false || word == 'f' || word == of_no || word == 'n' || word == '0';
  value = is_true ? 1 : 0;
  return is_true || is_false ? parsing::value : parsing::malformed;
}

// Digits of a whole number, negated as they are read, for the least number has no opposite. Stops
// behind a point, if there may be one.
template <typename A>
ARIADNE_INLINE bool read_whole(A& a, u32& place, u32 end, bool may_have_point, i64& negated) {
  constexpr i64 stop = static_cast<i64>(1ull << 63) / 10;
  i64 result = 0;
#pragma clang loop unroll(disable)
  while (place < end) {
    const u8 byte = a.byte(place++);
    if (byte == '.' && may_have_point) {
      break;
    }
    const u32 digit = digit_of(byte);
    if (digit > 9 || result < stop) {
      return false;
    }
    result = result * 10 - digit;
    if (result > 0) {
      return false;
    }
  }
  negated = result;
  return true;
}

// UTF8String.toLong and toInt: the fraction, if there may be one, is dropped.
template <typename A>
ARIADNE_INLINE parsing parse_integer(A& a, bool may_have_fraction, u32 bits, i64& value) {
  const range kept = trim_blanks(a);
  if (kept.from == kept.to) {
    return parsing::malformed;
  }
  u32 place = kept.from;
  const u8 first = a.byte(place);
  const bool is_negative = first == '-';
  if (is_negative || first == '+') {
    place++;
    if (place == kept.to) {
      return parsing::malformed;
    }
  }
  i64 negated;
  if (!read_whole(a, place, kept.to, may_have_fraction, negated)) {
    return parsing::malformed;
  }
#pragma clang loop unroll(disable)
  for (; place < kept.to; place++) {
    if (digit_of(a.byte(place)) > 9) {
      return parsing::malformed;
    }
  }
  const i64 least = static_cast<i64>(~0ull << (bits - 1));
  const bool is_within = is_negative ? negated >= least : negated > least;
  value = is_negative ? negated : -negated;
  return is_within ? parsing::value : parsing::malformed;
}

// A decimal's digits: those from the first that is not 0 on.
struct decimal_digits {
  u128 leading;  // the number that the first 38 are
  u32 count;     // of all
  u32 next;      // the 39th
  i64 exponent;  // of ten, of the last digit
  bool is_negative;
};

// The exponent behind an e. Those of more than four digits are for Spark, which raises for some.
template <typename A>
ARIADNE_INLINE parsing read_exponent(A& a, u32 place, u32 end, i64& exponent) {
  const bool is_signed = place < end && (a.byte(place) == '-' || a.byte(place) == '+');
  const bool is_negative = is_signed && a.byte(place) == '-';
  place += is_signed ? 1 : 0;
  if (place == end) {
    return parsing::malformed;
  }
  i64 value = 0;
  const bool is_short = end - place <= 4;
#pragma clang loop unroll(disable)
  for (; place < end; place++) {
    const u8 byte = a.byte(place);
    if (digit_of(byte) > 9) {
      return byte < 0x80 ? parsing::malformed : parsing::unknown;
    }
    value = is_short ? value * 10 + digit_of(byte) : 0;
  }
  exponent = is_negative ? -value : value;
  return is_short ? parsing::value : parsing::unknown;
}

// BigDecimal of the string without what String.trim trims. Digits beyond ASCII are for Spark.
template <typename A>
ARIADNE_INLINE parsing read_decimal(A& a, decimal_digits& digits) {
  range kept = {0, a.length};
#pragma clang loop unroll(disable)
  while (kept.from < kept.to && a.byte(kept.from) <= ' ') {
    kept.from++;
  }
#pragma clang loop unroll(disable)
  while (kept.from < kept.to && a.byte(kept.to - 1) <= ' ') {
    kept.to--;
  }
  u32 place = kept.from;
  digits = {0, 0, 0, 0, false};
  if (place < kept.to && (a.byte(place) == '-' || a.byte(place) == '+')) {
    digits.is_negative = a.byte(place) == '-';
    place++;
  }
  bool has_digit = false;
  bool has_point = false;
  i64 exponent = 0;
  u64 part = 0;  // of the leading digits, those behind the first 18
  i64 fraction = 0;
#pragma clang loop unroll(disable)
  for (; place < kept.to; place++) {
    const u8 byte = a.byte(place);
    const u32 digit = digit_of(byte);
    if (digit <= 9) {
      has_digit = true;
      fraction += has_point ? 1 : 0;
      if (digits.count == 0 && digit == 0) {
        continue;
      }
      if (digits.count < element::kMaxShortPrecision) {
        part = part * 10 + digit;
      } else if (digits.count < element::kMaxPrecision) {
        if (digits.count == element::kMaxShortPrecision) {
          digits.leading = part;
        }
        digits.leading = digits.leading * 10 + digit;
      } else if (digits.count == element::kMaxPrecision) {
        digits.next = digit;
      }
      digits.count++;
    } else if (byte == '.' && !has_point) {
      has_point = true;
    } else if ((byte | 0x20) == 'e' && has_digit) {
      const parsing outcome = read_exponent(a, place + 1, kept.to, exponent);
      if (outcome != parsing::value) {
        return outcome;
      }
      break;
    } else {
      return byte < 0x80 ? parsing::malformed : parsing::unknown;
    }
  }
  if (digits.count <= element::kMaxShortPrecision) {
    digits.leading = part;
  }
  digits.exponent = exponent - fraction;
  return has_digit ? parsing::value : parsing::malformed;
}

// The digits as a number of so many digits behind the point, ties away from zero; false: it has
// more than 38.
ARIADNE_INLINE bool rescaled(const decimal_digits& digits, u32 scale, u128& value) {
  const i64 shift = digits.exponent + scale;
  const i64 kept = digits.count + shift;  // digits of the result
  if (kept > element::kMaxPrecision) {
    return false;
  }
  if (kept < 0) {
    value = 0;
    return true;
  }
  if (shift >= 0) {
    value = digits.leading * element::long_power_of_ten(static_cast<u32>(shift)).value;
    return true;
  }
  const u32 leading = digits.count < element::kMaxPrecision ? digits.count : element::kMaxPrecision;
  const u32 dropped = leading - static_cast<u32>(kept);
  if (dropped == 0) {
    value = digits.leading + (digits.next >= 5 ? 1 : 0);
    return true;
  }
  const element::power_of_ten<u128> power = element::long_power_of_ten(dropped);
  const u128 whole = element::quotient(digits.leading, power);
  value = whole + (digits.leading - whole * power.value >= power.value / 2 ? 1 : 0);
  return true;
}

// Decimal.fromString, then changePrecision.
template <typename A>
ARIADNE_INLINE parsing parse_decimal(A& a, u32 precision, u32 scale, i128& value) {
  decimal_digits digits;
  const parsing outcome = read_decimal(a, digits);
  if (outcome != parsing::value) {
    return outcome;
  }
  if (digits.count == 0) {
    value = 0;
    // a zero with an exponent has digits before the point, of which Spark takes 38
    return digits.exponent + 1 > i64{element::kMaxPrecision} ? parsing::unknown : parsing::value;
  }
  u128 absolute;
  if (!rescaled(digits, scale, absolute) ||
      absolute >= element::long_power_of_ten(precision).value) {
    return parsing::malformed;
  }
  value = element::with_sign(absolute, digits.is_negative);
  return parsing::value;
}

}  // namespace text
