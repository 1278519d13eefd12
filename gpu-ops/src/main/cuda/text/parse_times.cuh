// What a string says, as Spark's CAST reads it: dates and timestamps.
//
// Source: org.apache.spark.sql.catalyst.util.SparkDateTimeUtils (stringToDate,
// parseTimestampString, getZoneId) of Spark 3.5 and 4.1, java.time.ZoneId and java.time.ZoneOffset.
#pragma once

#include "element/date.cuh"
#include "element/time.cuh"
#include "text/parse_numbers.cuh"

namespace text {

inline constexpr i64 kSecondsPerDay = 86400;
inline constexpr i64 kMicrosPerSecond = 1000000;

ARIADNE_INLINE u32 days_in_month(i32 year, u32 month) {
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const u32 longer = (month + (month >> 3)) & 1;  // of 30 and 31
  return month == 2 ? (is_leap ? 29 : 28) : 30 + longer;
}

// LocalDate.of(...).toEpochDay for a year of up to seven digits.
ARIADNE_INLINE bool day_of(i32 year, u32 month, u32 day, i64& result) {
  if (month - 1 >= 12 || day - 1 >= days_in_month(year, month)) {
    return false;
  }
  const i64 months = i64{year} * 12 + month - 1 - element::kMonthOfEpoch;
  result = element::first_day_of_month(months) + day - 1;
  return true;
}

// A number of one or more digits, and how many.
struct digit_run {
  i32 value;  // wraps when there are more digits than any part has
  u32 count;
};

// Reads digits; `place` is then behind them.
template <typename A>
ARIADNE_INLINE digit_run read_digits(A& a, u32& place, u32 end) {
  digit_run run = {0, 0};
#pragma clang loop unroll(disable)
  for (; place < end; place++) {
    const u32 digit = digit_of(a.byte(place));
    if (digit > 9) {
      break;
    }
    run.value = run.value * 10 + static_cast<i32>(digit);
    run.count++;
  }
  return run;
}

ARIADNE_INLINE bool is_year(const digit_run& run, u32 most) {
  return run.count >= 4 && run.count <= most;
}
ARIADNE_INLINE bool is_pair(const digit_run& run) { return run.count - 1 < 2; }

// SparkDateTimeUtils.stringToDate: a year, a month, a day; behind a day's space or T anything.
template <typename A>
ARIADNE_INLINE parsing parse_date(A& a, i64& value) {
  const range kept = trim_blanks(a);
  u32 place = kept.from;
  if (place == kept.to) {
    return parsing::malformed;
  }
  const u8 sign = a.byte(place);
  place += sign == '-' || sign == '+' ? 1 : 0;
  const digit_run year = read_digits(a, place, kept.to);
  digit_run month = {1, 1};
  digit_run day = {1, 1};
  if (place < kept.to && a.byte(place) == '-') {
    place++;
    month = read_digits(a, place, kept.to);
    if (place < kept.to && a.byte(place) == '-') {
      place++;
      day = read_digits(a, place, kept.to);
      const u8 next = place < kept.to ? a.byte(place) : 'T';
      place = next == 'T' || next == ' ' ? kept.to : place;
    }
  }
  const bool is_whole = place == kept.to;
  if (!is_whole || !is_year(year, 7) || !is_pair(month) || !is_pair(day) ||
      !day_of(sign == '-' ? -year.value : year.value, static_cast<u32>(month.value),
              static_cast<u32>(day.value), value)) {
    return parsing::malformed;
  }
  return value == static_cast<i32>(value) ? parsing::value : parsing::malformed;
}

// A zone that is an offset from UTC: Z, UTC, GMT, UT, or hours and minutes, perhaps behind one of
// these three. Other names, and offsets written otherwise, are for Spark.
template <typename A>
ARIADNE_INLINE parsing parse_offset(A& a, u32 place, u32 end, i64& seconds) {
  seconds = 0;
#pragma clang loop unroll(disable)
  while (place < end && a.byte(place) <= ' ') {
    place++;
  }
  const u32 length = end - place;
  const u8 first = a.byte(place);
  if (length == 1) {
    return first == 'Z' ? parsing::value : parsing::malformed;
  }
  const bool is_universal = first == 'U' && a.byte(place + 1) == 'T';
  const bool has_third = length >= 3;
  if (is_universal && (!has_third || a.byte(place + 2) != 'C')) {
    place += 2;
  } else if (has_third && (is_universal || (first == 'G' && a.byte(place + 1) == 'M' &&
                                            a.byte(place + 2) == 'T'))) {
    place += 3;
  }
  if (place == end) {
    return parsing::value;
  }
  const u8 sign = a.byte(place);
  if (sign != '+' && sign != '-') {
    return parsing::unknown;
  }
  place++;
  const digit_run hours = read_digits(a, place, end);
  digit_run minutes = {0, 1};
  if (place < end && a.byte(place) == ':') {
    place++;
    minutes = read_digits(a, place, end);
  }
  if (place != end || !is_pair(hours) || !is_pair(minutes)) {
    return parsing::unknown;
  }
  if (minutes.value > 59 || hours.value * 60 + minutes.value > 18 * 60) {
    return parsing::malformed;
  }
  seconds = hours.value * i64{3600} + minutes.value * 60;
  seconds = sign == '-' ? -seconds : seconds;
  return parsing::value;
}

// What parseTimestampString finds, in seconds of local time and microseconds.
struct local_time {
  i64 second;
  i64 micro;
  u32 zone;  // where the string names one; the end: it does not
};

// A fraction of a second in microseconds; further digits are dropped.
template <typename A>
ARIADNE_INLINE i64 read_fraction(A& a, u32& place, u32 end) {
  i64 micro = 0;
  u32 count = 0;
#pragma clang loop unroll(disable)
  for (; place < end; place++) {
    const u32 digit = digit_of(a.byte(place));
    if (digit > 9) {
      break;
    }
    micro = count < 6 ? micro * 10 + digit : micro;
    count++;
  }
#pragma clang loop unroll(disable)
  for (; count < 6; count++) {
    micro *= 10;
  }
  return micro;
}

// Behind a date and a space or T: hours, with minutes, with seconds, of which seconds may have a
// fraction and be followed by a zone.
template <typename A>
ARIADNE_INLINE parsing read_time(A& a, u32 place, u32 end, local_time& time) {
  const digit_run hour = read_digits(a, place, end);
  digit_run minute = {0, 1};
  digit_run second = {0, 1};
  time.micro = 0;
  time.zone = end;
  if (place < end && a.byte(place) == ':') {
    place++;
    minute = read_digits(a, place, end);
    if (place < end && a.byte(place) == ':') {
      place++;
      second = read_digits(a, place, end);
      if (place < end && a.byte(place) == '.') {
        place++;
        time.micro = read_fraction(a, place, end);
      }
      time.zone = place;
      place = end;
    }
  }
  if (place != end || !is_pair(hour) || !is_pair(minute) || !is_pair(second) || hour.value > 23 ||
      minute.value > 59 || second.value > 59) {
    return parsing::malformed;
  }
  time.second += hour.value * i64{3600} + minute.value * 60 + second.value;
  return parsing::value;
}

// SparkDateTimeUtils.parseTimestampString. A time without a date is of today: for Spark.
template <typename A>
ARIADNE_INLINE parsing read_timestamp(A& a, u32 place, u32 end, local_time& time) {
  const u8 sign = place < end ? a.byte(place) : 'x';
  if (sign == 'T') {
    return parsing::unknown;
  }
  const bool is_signed = sign == '-' || sign == '+';
  place += is_signed ? 1 : 0;
  const digit_run year = read_digits(a, place, end);
  digit_run month = {1, 1};
  digit_run day = {1, 1};
  u32 time_from = end;
  if (place < end && a.byte(place) == ':' && !is_signed) {
    return parsing::unknown;
  }
  if (place < end && a.byte(place) == '-') {
    place++;
    month = read_digits(a, place, end);
    if (place < end && a.byte(place) == '-') {
      place++;
      day = read_digits(a, place, end);
      if (place < end && (a.byte(place) == ' ' || a.byte(place) == 'T')) {
        time_from = place + 1;
        place = end;
      }
    }
  }
  i64 days = 0;
  if (place != end || !is_year(year, 6) || !is_pair(month) || !is_pair(day) ||
      !day_of(sign == '-' ? -year.value : year.value, static_cast<u32>(month.value),
              static_cast<u32>(day.value), days)) {
    return parsing::malformed;
  }
  time = {days * kSecondsPerDay, 0, end};
  // what ends with a T has no hours; a space there would have been trimmed
  const bool has_time = time_from < end || (place == end && a.byte(end - 1) == 'T');
  return has_time ? read_time(a, time_from, end, time) : parsing::value;
}

// Microseconds, unless they are too many.
ARIADNE_INLINE parsing to_micros(i64 second, i64 micro, i64& value) {
  const i128 micros = static_cast<i128>(second) * kMicrosPerSecond + micro;
  value = static_cast<i64>(micros);
  return value == micros ? parsing::value : parsing::malformed;
}

// SparkDateTimeUtils.stringToTimestampWithoutTimeZone; a zone is dropped if it is one.
template <typename A>
ARIADNE_INLINE parsing parse_local_timestamp(A& a, i64& value) {
  const range kept = trim_blanks(a);
  local_time time;
  parsing outcome = read_timestamp(a, kept.from, kept.to, time);
  if (outcome == parsing::value && time.zone != kept.to) {
    i64 offset;
    outcome = parse_offset(a, time.zone, kept.to, offset);
  }
  if (outcome != parsing::value) {
    return outcome;
  }
  return to_micros(time.second, time.micro, value);
}

// SparkDateTimeUtils.stringToTimestamp; the zone's offsets by local seconds.
template <typename A>
ARIADNE_INLINE parsing parse_timestamp(A& a, const element::step_function& zone, i64& value) {
  const range kept = trim_blanks(a);
  local_time time;
  parsing outcome = read_timestamp(a, kept.from, kept.to, time);
  i64 offset = 0;
  if (outcome == parsing::value && time.zone != kept.to) {
    outcome = parse_offset(a, time.zone, kept.to, offset);
  } else if (outcome == parsing::value) {
    const u32 step = element::find_step(element::to_first_period(time.second, zone), zone);
    offset = target::load_ro(&zone.entries[step].value);
  }
  if (outcome != parsing::value) {
    return outcome;
  }
  return to_micros(time.second - offset, time.micro, value);
}

}  // namespace text
