// Conversions of stored fixed-width values to those of a column, one struct each:
//   in, out                 stored and converted type
//   convert(value)          the conversion, in the file's own calendar
//   fails(value)            whether the result would overflow
//   calendar_of             what the result counts, if it may have to be rebased
//
// Source: Spark 4.1, ParquetVectorUpdaterFactory and ParquetRowConverter.binaryToSQLTimestamp.
#pragma once

#include "element/calendar.cuh"
#include "element/decimal.cuh"
#include "element/floating.cuh"
#include "target/target.cuh"

namespace conversion {

// What a converted value counts: days; microseconds; days in microseconds, rebased as days.
enum class calendar { none, days, micros, midnights };

struct defaults {
  static constexpr calendar calendar_of = calendar::none;
  template <typename T>
  static ARIADNE_MEMBER bool fails(T) {
    return false;
  }
};

// Java's cast between integer types.
template <typename In, typename Out>
struct cast : defaults {
  using in = In;
  using out = Out;
  static ARIADNE_MEMBER out convert(in value) { return static_cast<out>(value); }
};

struct float_to_double : defaults {
  using in = f32;
  using out = u64;  // bits
  static ARIADNE_MEMBER out convert(in value) {
    const f64 wide = static_cast<f64>(value);
    return element::is_nan(wide) ? element::kCanonicalNan : __builtin_bit_cast(u64, wide);
  }
};

struct int_to_double : defaults {
  using in = i32;
  using out = f64;
  static ARIADNE_MEMBER out convert(in value) { return static_cast<f64>(value); }
};

struct date : cast<i32, i32> {
  static constexpr calendar calendar_of = calendar::days;
};

struct micros : cast<i64, i64> {
  static constexpr calendar calendar_of = calendar::micros;
};

// value * Factor, which must fit 64 bits.
template <typename In, i64 Factor>
struct multiplied : defaults {
  using in = In;
  using out = i64;
  static constexpr i64 kLimit = element::kMaxI64 / Factor;
  static ARIADNE_MEMBER out convert(in value) { return static_cast<i64>(value) * Factor; }
  static ARIADNE_MEMBER bool fails(in value) { return value > kLimit || value < -kLimit; }
};

struct date_to_micros : multiplied<i32, element::kMicrosPerDay> {
  static constexpr calendar calendar_of = calendar::midnights;
};

struct millis_to_micros : multiplied<i64, 1000> {
  static constexpr calendar calendar_of = calendar::micros;
};

struct nanos_to_micros : defaults {
  using in = i64;
  using out = i64;
  static ARIADNE_MEMBER out convert(in value) {
    const i64 quotient = value / 1000;
    return quotient - (value < quotient * 1000 ? 1 : 0);
  }
};

// Nanoseconds of the day (8 bytes), Julian day number (4 bytes).
struct int96 {
  u32 word[3];
};

struct int96_to_micros : defaults {
  using in = int96;
  using out = i64;
  static constexpr calendar calendar_of = calendar::micros;
  static constexpr i32 kJulianDayOfEpoch = 2440588;
  static ARIADNE_MEMBER out convert(in value) {
    const i64 nanos = static_cast<i64>(static_cast<u64>(value.word[1]) << 32 | value.word[0]);
    const i32 day = static_cast<i32>(value.word[2]) - kJulianDayOfEpoch;  // wraps as in Spark
    return day * element::kMicrosPerDay + nanos / 1000;
  }
};

// A cast that must keep the value.
template <typename In, typename Out>
struct exact_cast : cast<In, Out> {
  static ARIADNE_MEMBER bool fails(In value) {
    return static_cast<In>(static_cast<Out>(value)) != value;
  }
};

// Unscaled decimals. A scale above that of the file multiplies them by a power of ten; what exceeds
// the result's width is cut off, as by BigInteger.intValue and longValue.
template <typename Out>
ARIADNE_INLINE Out scaled(i128 value, u128 factor) {
  if constexpr (sizeof(Out) <= 8) {
    return static_cast<Out>(static_cast<u64>(value) * static_cast<u64>(factor));
  } else {
    return static_cast<Out>(static_cast<u128>(value) * factor);
  }
}

// Stored decimals that a launch accepts: all, or, when its results have to be exact, those that fit
// Out with `scale` digits appended. Results of 128 bits are not looked at.
template <typename Out>
struct stored_bounds {
  i64 lower;
  i64 upper;
  bool is_exact;

  ARIADNE_MEMBER bool fails(i128 value) const {
    return sizeof(Out) <= 8 && is_exact && (value < lower || value > upper);
  }
};

template <typename Out>
ARIADNE_INLINE stored_bounds<Out> bounds_of(u32 scale, u32 is_exact) {
  constexpr u32 kLongDigits = 18;
  constexpr i64 kMax = sizeof(Out) == 4 ? 0x7fffffff : element::kMaxI64;
  if (scale > kLongDigits) {
    return {0, 0, is_exact != 0};
  }
  const i64 factor = static_cast<i64>(element::long_power_of_ten(scale).value);
  return {(-kMax - 1) / factor, kMax / factor, is_exact != 0};
}

}  // namespace conversion
