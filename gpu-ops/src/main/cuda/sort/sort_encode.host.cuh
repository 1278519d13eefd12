// Host form of sort_encode: 64 rows at a time, one word of validity.
#pragma once

namespace sort {

inline constexpr u32 kPollRows = 1 << 14;

// Calls step(first row, rows, validity word) for each 64 rows.
template <typename Step>
ARIADNE_INLINE void for_words(const sort_encode_args& args, Step step) {
  for (u32 first = 0; first < args.rows; first += 64) {
    if (first % kPollRows == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 count = args.rows - first < 64 ? args.rows - first : 64;
    step(first, count, args.in.validity == nullptr ? ~u64{0} : args.in.validity[first / 64]);
  }
}

ARIADNE_FUNCTION void encode_nulls(const sort_encode_args& args) {
  const bool values_last = (args.flags & SORT_NULLS_LAST) == 0;
  const u64 keep = (args.flags & SORT_REPLACES) != 0 ? 0 : ~u64{0};
  for_words(args, [&](u32 first, u32 count, u64 validity) {
    const u64 last = values_last ? validity : ~validity;
    for (u32 i = 0; i < count; i++) {
      args.out[first + i] = (args.out[first + i] & keep) | (last >> i & 1) << args.shift;
    }
  });
}

template <bool REPLACES, typename Values>
ARIADNE_INLINE void encode_as(const sort_encode_args& args, Values values) {
  const u64 mask = ~u64{0} >> (64 - args.bits);
  const u64 inverted = (args.flags & SORT_DESCENDING) != 0 ? mask : 0;
  for_words(args, [&](u32 first, u32 count, u64 validity) {
    u64* out = args.out + first;
    if (validity == ~u64{0}) {
      for (u32 i = 0; i < count; i++) {
        const u64 field = (values(first + i) ^ inverted) << args.shift;
        out[i] = REPLACES ? field : out[i] | field;
      }
      return;
    }
    for (u32 i = 0; i < count; i++) {
      const bool is_valid = validity >> i & 1;
      const u64 field = is_valid ? (values(first + i) ^ inverted) << args.shift : 0;
      out[i] = REPLACES ? field : out[i] | field;
    }
  });
}

template <typename Values>
ARIADNE_FUNCTION void encode_values(const sort_encode_args& args, Values values) {
  if ((args.flags & SORT_REPLACES) != 0) {
    encode_as<true>(args, values);
  } else {
    encode_as<false>(args, values);
  }
}

}  // namespace sort
