// Fields of a date given as days since 1970-01-01, proleptic Gregorian, any 32-bit day.
//
// After C. Neri and L. Schneider, "Euclidean affine functions and their application to calendar
// algorithms", Software: Practice and Experience 53(4), 2023. Years start in March; eras have 400
// years. Only 64-bit multiplications and 32-bit divisions by constants: loops over it vectorise.
#pragma once

#include "target/target.cuh"

namespace element {

// A day within its era of 400 years that begins on 1 March.
struct era_day {
  i64 first_year;   // civil year in which the era begins
  u32 century;      // of the era, 0 to 3
  u32 year;         // of the century, 0 to 99
  u32 day_of_year;  // since 1 March, 0 to 365
};

ARIADNE_INLINE era_day to_era_day(i64 days) {
  constexpr u64 era_days = 146097;
  constexpr u64 era_shift = 14700;       // eras added so that every 32-bit day is positive
  constexpr u64 reciprocal = 963315389;  // ceil(2^47 / era_days)
  const u64 shifted = static_cast<u64>(days) + 719468 + era_shift * era_days;
  const u64 estimate = (shifted * reciprocal) >> 47;  // at most one too large below 2^33
  const u64 era = estimate - (estimate * era_days > shifted ? 1 : 0);
  const u32 day_of_era = static_cast<u32>(shifted - era * era_days);
  const u32 quarters = 4 * day_of_era + 3;
  const u32 century = quarters / 146097;
  const u32 day_quarters = (quarters - century * 146097) | 3;
  const u64 product = 2939745ull * day_quarters;
  era_day result;
  result.first_year = static_cast<i64>(400 * era) - static_cast<i64>(400 * era_shift);
  result.century = century;
  result.year = static_cast<u32>(product >> 32);
  result.day_of_year = static_cast<u32>(product) / 2939745 / 4;
  return result;
}

ARIADNE_INLINE bool is_january_or_february(const era_day& day) { return day.day_of_year >= 306; }

ARIADNE_INLINE i64 year_of_day(i64 days) {
  const era_day day = to_era_day(days);
  return day.first_year + 100 * day.century + day.year + (is_january_or_february(day) ? 1 : 0);
}

// Month in the high half, day of the month less one times 2141 in the low half.
ARIADNE_INLINE u32 month_and_day(const era_day& day) { return 2141 * day.day_of_year + 197913; }

ARIADNE_INLINE i64 month_of_day(i64 days) {
  const era_day day = to_era_day(days);
  const u32 month = month_and_day(day) >> 16;
  return is_january_or_february(day) ? month - 12 : month;
}

ARIADNE_INLINE i64 day_of_month(i64 days) {
  return (month_and_day(to_era_day(days)) & 0xffff) / 2141 + 1;
}

ARIADNE_INLINE i64 day_of_year(i64 days) {
  const era_day day = to_era_day(days);
  const u32 leap = (day.year != 0 ? day.year % 4 == 0 : day.century == 0) ? 1 : 0;
  return is_january_or_february(day) ? day.day_of_year - 305 : day.day_of_year + 60 + leap;
}

ARIADNE_INLINE i64 quarter_of_day(i64 days) { return static_cast<u32>(month_of_day(days) + 2) / 3; }

inline constexpr i64 kMonthOfEpoch = 1970 * 12;  // months from January of year 0

// Months from January 1970 to the month of a day.
ARIADNE_INLINE i64 month_number(i64 days) {
  const era_day day = to_era_day(days);
  const u32 march_month = month_and_day(day) >> 16;  // January and February are 13 and 14
  const i64 year = day.first_year + 100 * day.century + day.year;
  return 12 * year + march_month - 1 - kMonthOfEpoch;
}

// The day on which the month begins that is so many months after January 1970. Months further than
// 2^27 from there begin where those 2^27 away do: on no 32-bit day.
ARIADNE_INLINE i64 first_day_of_month(i64 months) {
  constexpr i64 furthest = 1 << 27;
  constexpr i64 eras = 28000;  // of 400 years, so that every month is positive
  const i64 least = months < -furthest ? -furthest : months;
  const i64 near = least > furthest ? furthest : least;
  const u32 since_march = static_cast<u32>(near + kMonthOfEpoch - 2 + eras * 4800);
  const u32 year = since_march / 12;  // starts in March
  const u32 day_of_year = (153 * (since_march - 12 * year) + 2) / 5;
  const u64 days = 365ull * year + (year / 4 - year / 100 + year / 400 + day_of_year);
  return static_cast<i64>(days) - 719468 - eras * 146097;
}

}  // namespace element
