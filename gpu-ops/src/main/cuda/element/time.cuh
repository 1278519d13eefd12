// Times in microseconds and seconds since 1970-01-01 00:00:00, and functions that are constant
// between the entries of a table, such as a time zone's offset.
#pragma once

#include "target/target.cuh"

namespace element {

// floor(micros / 10^6), by an estimate in doubles that is at most one off: loops over it vectorise.
ARIADNE_INLINE i64 second_of_micros(i64 micros) {
  constexpr i64 divisor = 15625;  // 10^6 = 2^6 * 15625
  const i64 units = micros >> 6;
  const i64 estimate = static_cast<i64>(static_cast<f64>(units) * (1.0 / divisor));
  const i64 rest = units - estimate * divisor;
  return estimate + (rest >= divisor ? 1 : 0) - (rest < 0 ? 1 : 0);
}

// From `key` on, up to the next entry's, the function has `value`.
struct alignas(16) step {
  i64 key;
  i64 value;
};

// A function of integers by its steps, in ascending order of keys; below the first the function has
// the first value. From `period_start` on it repeats itself every `period`: the entries reach
// period_start + period.
struct step_function {
  const step* entries;
  u32 count;  // at least 1
  i64 period_start;
  i64 period;  // positive
};

// A step function lies in memory as an entry {period_start, period}, then the steps.
ARIADNE_INLINE step_function to_step_function(const step* table, u32 length) {
  return {table + 1, length - 1, target::load_ro(&table->key), target::load_ro(&table->value)};
}

ARIADNE_INLINE i64 to_first_period(i64 a, const step_function& f) {
  if (a < f.period_start) {
    return a;
  }
  return f.period_start +
         static_cast<i64>(static_cast<u64>(a - f.period_start) % static_cast<u64>(f.period));
}

// The entry that holds at `a`, which is in or before the first period.
ARIADNE_INLINE u32 find_step(i64 a, const step_function& f) {
  u32 low = 0;
  u32 high = f.count;  // the last key at or before `a` is in [low, high)
#pragma clang loop unroll(disable)
  while (high - low > 1) {
    const u32 middle = (low + high) / 2;
    const bool is_before = target::load_ro(&f.entries[middle].key) <= a;
    low = is_before ? middle : low;
    high = is_before ? high : middle;
  }
  return low;
}

}  // namespace element
