// The string that says the value of a row, put into a sink: something with put(byte) and
// put_digits(number below 10^count, count), which puts zeros in front. Shared by all targets.
#pragma once

#include "element/date.cuh"
#include "text/format_float.cuh"

namespace text {

// Numbers of up to 64 bits: the magnitude of the least has 19 digits.
template <typename Sink>
ARIADNE_INLINE void format_integer(i64 value, Sink& sink) {
  if (value < 0) {
    sink.put('-');
  }
  const u64 absolute = value < 0 ? -static_cast<u64>(value) : static_cast<u64>(value);
  const element::power_of_ten<u64> power = element::short_power_of_ten(18);
  const u64 upper = element::quotient(absolute, power);
  if (upper != 0) {
    sink.put_digits(upper, 1);
    sink.put_digits(absolute - upper * power.value, 18);
  } else {
    sink.put_digits(absolute, count_digits(absolute));
  }
}

// BigDecimal.toString of a value whose first digit is further behind the point than the sixth.
template <typename Sink>
ARIADNE_INLINE void format_scientific(u128 absolute, u32 count, u32 scale, Sink& sink) {
  const u128 power = element::long_power_of_ten(count - 1).value;
  const u64 first =
      static_cast<u64>(element::quotient(absolute, element::long_power_of_ten(count - 1)));
  sink.put_digits(first, 1);
  if (count > 1) {
    sink.put('.');
    put_long(split(absolute - first * power), count - 1, sink);
  }
  sink.put('E');
  sink.put('-');
  const u32 exponent = scale - (count - 1);
  sink.put_digits(exponent, exponent < 10 ? 1 : 2);
}

template <typename Sink>
ARIADNE_INLINE void format_decimal(i128 value, u32 scale, bool is_plain, Sink& sink) {
  if (value < 0) {
    sink.put('-');
  }
  const u128 absolute = element::magnitude(value);
  const u32 count = count_digits(split(absolute));
  if (!is_plain && scale + 1 > count + 6) {
    format_scientific(absolute, count, scale, sink);
    return;
  }
  const element::power_of_ten<u128> power = element::long_power_of_ten(scale);
  const u128 whole = element::quotient(absolute, power);
  const long_digits digits = split(whole);
  put_long(digits, count_digits(digits), sink);
  if (scale > 0) {
    sink.put('.');
    put_long(split(absolute - whole * power.value), scale, sink);
  }
}

// DateTimeFormatter.ISO_LOCAL_DATE.
template <typename Sink>
ARIADNE_INLINE void format_date(i64 day, Sink& sink) {
  const i64 year = element::year_of_day(day);
  const u64 absolute = static_cast<u64>(year < 0 ? -year : year);
  if (year < 0 || year > 9999) {
    sink.put(year < 0 ? '-' : '+');
  }
  const u32 count = count_digits(absolute);
  sink.put_digits(absolute, count < 4 ? 4 : count);
  sink.put('-');
  sink.put_digits(static_cast<u64>(element::month_of_day(day)), 2);
  sink.put('-');
  sink.put_digits(static_cast<u64>(element::day_of_month(day)), 2);
}

// A date, a time, and a fraction without zeros at its end.
template <typename Sink>
ARIADNE_INLINE void format_timestamp(i64 micros, const element::step* zone, u32 zone_length,
                                     Sink& sink) {
  const i64 second = element::second_of_micros(micros);
  i64 offset = 0;
  if (zone != nullptr) {
    const element::step_function offsets = element::to_step_function(zone, zone_length);
    const u32 step = element::find_step(element::to_first_period(second, offsets), offsets);
    offset = target::load_ro(&offsets.entries[step].value);
  }
  const i64 local = second + offset;
  constexpr i64 seconds_per_day = 86400;
  const i64 quotient = local / seconds_per_day;
  const i64 day = quotient - (local < quotient * seconds_per_day ? 1 : 0);
  const u32 second_of_day = static_cast<u32>(local - day * seconds_per_day);
  format_date(day, sink);
  sink.put(' ');
  sink.put_digits(second_of_day / 3600, 2);
  sink.put(':');
  sink.put_digits(second_of_day / 60 % 60, 2);
  sink.put(':');
  sink.put_digits(second_of_day % 60, 2);
  u32 fraction = static_cast<u32>(micros - second * 1000000);
  if (fraction == 0) {
    return;
  }
  u32 count = 6;
#pragma clang loop unroll(disable)
  for (; fraction % 10 == 0; count--) {
    fraction /= 10;
  }
  sink.put('.');
  sink.put_digits(fraction, count);
}

// The value of a row of the column: of 64 bits or fewer.
ARIADNE_INLINE i64 value_of(const column_view& column, u32 row) {
  switch (column.kind) {
    case column_kind::boolean:
      return static_cast<i64>(target::load_ro(column::words(column) + row / 64) >> row % 64 & 1);
    case column_kind::i8:
      return target::load_ro(static_cast<const i8*>(column.data) + row);
    case column_kind::i16:
      return target::load_ro(static_cast<const i16*>(column.data) + row);
    case column_kind::i32:
    case column_kind::f32:
      return target::load_ro(static_cast<const i32*>(column.data) + row);
    default:
      return target::load_ro(static_cast<const i64*>(column.data) + row);
  }
}

ARIADNE_INLINE i128 long_value_of(const column_view& column, u32 row) {
  if (column.kind != column_kind::i128) {
    return value_of(column, row);
  }
  const u64x2 halves = target::load_ro(static_cast<const u64x2*>(column.data) + row);
  return element::join(static_cast<i64>(halves.x), static_cast<i64>(halves.y));
}

template <u32 Type, typename Sink>
ARIADNE_INLINE void format(const format_value_args& args, u32 row, Sink& sink) {
  const u32 at = row_of(args.value, row);
  const column_view& column = args.value.column;
  if constexpr (Type == FORMAT_DECIMAL || Type == FORMAT_PLAIN_DECIMAL) {
    format_decimal(long_value_of(column, at), args.scale, Type == FORMAT_PLAIN_DECIMAL, sink);
    return;
  }
  const i64 value = value_of(column, at);
  if constexpr (Type == FORMAT_BOOLEAN) {
    put_letters(value != 0 ? 0x65757274 : 0x65736c6166, sink);  // true, false
  } else if constexpr (Type == FORMAT_INTEGER) {
    format_integer(value, sink);
  } else if constexpr (Type == FORMAT_DATE) {
    format_date(value, sink);
  } else if constexpr (Type == FORMAT_TIMESTAMP) {
    format_timestamp(value, args.zone, args.zone_length, sink);
  } else {
    format_floating<Type == FORMAT_CLASSIC_FLOATING>(static_cast<u64>(value),
                                                     column.kind == column_kind::f32, sink);
  }
}

template <u32 Type>
struct format_constant {
  static constexpr u32 value = Type;
};

// Calls body(constant) with the type as a constant.
template <typename Body>
ARIADNE_INLINE void with_format(u32 type, Body body) {
  switch (type) {
    case FORMAT_BOOLEAN:
      body(format_constant<FORMAT_BOOLEAN>{});
      break;
    case FORMAT_INTEGER:
      body(format_constant<FORMAT_INTEGER>{});
      break;
    case FORMAT_DECIMAL:
      body(format_constant<FORMAT_DECIMAL>{});
      break;
    case FORMAT_PLAIN_DECIMAL:
      body(format_constant<FORMAT_PLAIN_DECIMAL>{});
      break;
    case FORMAT_DATE:
      body(format_constant<FORMAT_DATE>{});
      break;
    case FORMAT_TIMESTAMP:
      body(format_constant<FORMAT_TIMESTAMP>{});
      break;
    case FORMAT_FLOATING:
      body(format_constant<FORMAT_FLOATING>{});
      break;
    default:
      body(format_constant<FORMAT_CLASSIC_FLOATING>{});
  }
}

ARIADNE_INLINE bool has_value(const format_value_args& args, u32 row) {
  return (valid_word(args.value, row / 64) >> row % 64 & 1) != 0;
}

}  // namespace text
