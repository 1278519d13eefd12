// From the hybrid calendar (Julian before 1582-10-15, Gregorian from then on) to the proleptic
// Gregorian one: the same local date and time gets another day number.
//
// Source: Spark 4.1, org.apache.spark.sql.catalyst.util.RebaseDateTime; its table of 14 switch days
// is the formula below for years from 1 to 1582, and its fall-back for older dates the same
// formula.
#pragma once

#include "target/target.cuh"

namespace element {

inline constexpr i32 kFirstGregorianDay = -141427;  // 1582-10-15
inline constexpr i64 kMicrosPerDay = 86400000000;

// What is to be added to a Julian day number, |day| < 2^31, to get the Gregorian day of the same
// name. A 29 February that only the Julian calendar has becomes 1 March.
ARIADNE_INLINE i64 julian_day_shift(i64 day) {
  constexpr i64 cycles = 15000;        // of 400 years, so that every day is positive
  constexpr i64 first_march = 719470;  // days from Julian 0000-03-01 to 1970-01-01
  constexpr i64 cycle_days = 400 * 1461 / 4;
  const u64 shifted = static_cast<u64>(day + first_march + cycles * cycle_days);
  const u64 year = (4 * shifted + 3) / 1461;  // starts in March
  const i64 centuries = static_cast<i64>(year / 100) - 4 * cycles;
  const i64 leap_centuries = static_cast<i64>(year / 400) - cycles;
  return 2 - centuries + leap_centuries;
}

ARIADNE_INLINE i32 rebase_day(i32 day) {
  return day >= kFirstGregorianDay ? day : static_cast<i32>(day + julian_day_shift(day));
}

// The day that holds an instant; any 64-bit number of microseconds.
ARIADNE_INLINE i64 day_of_micros(i64 micros) {
  const i64 quotient = micros / kMicrosPerDay;
  return quotient - (micros < quotient * kMicrosPerDay ? 1 : 0);
}

// A time zone's instants at which the difference between the calendars changes, in microseconds,
// ascending, and what to add from each on. The first is local midnight of Julian 0001-01-01, from
// which on back the zone's offset stays.
struct rebase_table {
  const i64* switches;
  const i64* differences;
  u32 count;  // at least 1
};

ARIADNE_INLINE i64 rebase_micros_by_table(i64 micros, const rebase_table& table) {
  u32 low = 0;
  u32 high = table.count;  // the last switch at or before `micros` lies in [low, high)
  while (high - low > 1) {
    const u32 middle = (low + high) / 2;
    const bool is_before = target::load_ro(table.switches + middle) <= micros;
    low = is_before ? middle : low;
    high = is_before ? high : middle;
  }
  return micros + target::load_ro(table.differences + low);
}

// Wraps like Java's +.
ARIADNE_INLINE i64 rebase_micros(i64 micros, const rebase_table& table) {
  constexpr i64 first_day = -719164;  // Julian 0001-01-01
  const i64 first = target::load_ro(table.switches);
  if (micros >= first) {
    return rebase_micros_by_table(micros, table);
  }
  const i64 shift = julian_day_shift(day_of_micros(micros - first) + first_day);
  return micros + target::load_ro(table.differences) + (shift - 2) * kMicrosPerDay;
}

}  // namespace element
