// What a row takes; shared by all targets, which say how two options compare.
#pragma once

#include "text/choose.cuh"

namespace choose {

inline constexpr u32 kNone = ~0u;

ARIADNE_INLINE u32 row_of(const choose_option& option, u32 row) {
  if (option.is_constant != 0) {
    return 0;
  }
  return option.codes == nullptr ? row : target::load_ro(option.codes + row);
}

ARIADNE_INLINE bool has_value(const choose_option& option, u32 row) {
  return option.validity == nullptr ||
         (target::load_ro(option.validity + row / 64) >> row % 64 & 1) != 0;
}

ARIADNE_INLINE const choose_option& option_of(const choose_text_args& args, u32 k) {
  return args.options[k % CHOOSE_MAX_OPTIONS];
}

ARIADNE_INLINE u32 numbered(const choose_text_args& args, u32 row) {
  if (!has_value(args.number, row)) {
    return kNone;
  }
  const u32* numbers = static_cast<const u32*>(args.number.column.data);
  const u32 k = target::load_ro(numbers + row_of(args.number, row)) % CHOOSE_MAX_OPTIONS;
  return has_value(option_of(args, k), row) ? k : kNone;
}

ARIADNE_INLINE u32 first(const choose_text_args& args, u32 row) {
#pragma clang loop unroll(disable)
  for (u32 k = 0; k < args.option_count; k++) {
    if (has_value(option_of(args, k), row)) {
      return k;
    }
  }
  return kNone;
}

// compare(a, b): the order of two options of the row, below 0, 0 or above.
template <typename Compare>
ARIADNE_INLINE u32 extreme(const choose_text_args& args, u32 row, Compare compare) {
  u32 best = kNone;
#pragma clang loop unroll(disable)
  for (u32 k = 0; k < args.option_count; k++) {
    if (!has_value(option_of(args, k), row)) {
      continue;
    }
    if (best == kNone) {
      best = k;
      continue;
    }
    const i32 order = compare(option_of(args, k), option_of(args, best));
    if (args.rule == CHOOSE_GREATEST ? order > 0 : order < 0) {
      best = k;
    }
  }
  return best;
}

// Number of the option that a row takes, or kNone.
template <typename Compare>
ARIADNE_INLINE u32 number_of(const choose_text_args& args, u32 row, Compare compare) {
  switch (args.rule) {
    case CHOOSE_NUMBERED:
      return numbered(args, row);
    case CHOOSE_FIRST:
      return first(args, row);
    default:
      return extreme(args, row, compare);
  }
}

// The view as one of the result, with the halves given.
ARIADNE_INLINE u64 moved(u64 low, u64 high, u32 first_heap) {
  return static_cast<u32>(low) > column::kInlineLength ? high + first_heap : high;
}

}  // namespace choose
