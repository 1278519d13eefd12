// group_codes on the host: loops that vectorise, one key after the other.
#pragma once

#include "hash/group_codes.cuh"

namespace hash {

inline constexpr u32 kCodesBatch = 1024;  // rows looked up before the results are looked at

template <bool HasNulls, bool IsFirst>
ARIADNE_INLINE void add_places(const codes_key& key, u32* places, u32 rows) {
  const u32* codes = key.codes;
  const u64* validity = key.validity;
  const u32 stride = key.stride;
  const u32 entries = key.entries;
#pragma clang loop vectorize(assume_safety)
  for (u32 row = 0; row < rows; row++) {
    u32 code = codes[row];
    if constexpr (HasNulls) {
      code = (validity[row / 64] >> row % 64 & 1) != 0 ? code : entries;
    }
    places[row] = (IsFirst ? 0 : places[row]) + code * stride;
  }
}

static void place(const group_codes_args& args) {
  for (u32 k = 0; k < args.key_count; k++) {
    const codes_key& key = args.keys[k];
    if (key.validity != nullptr) {
      k == 0 ? add_places<true, true>(key, args.places, args.rows)
             : add_places<true, false>(key, args.places, args.rows);
    } else {
      k == 0 ? add_places<false, true>(key, args.places, args.rows)
             : add_places<false, false>(key, args.places, args.rows);
    }
  }
}

static void resolve(const group_codes_args& args) {
  const u32* group_of = args.group_of;
  for (u32 row = args.first_row; row < args.rows; row += kCodesBatch) {
    const u32 end = args.rows - row < kCodesBatch ? args.rows : row + kCodesBatch;
    u32 largest = 0;
#pragma clang loop vectorize(assume_safety)
    for (u32 i = row; i < end; i++) {
      const u32 group = group_of[args.places[i]];
      args.group_ids[i] = group;
      largest = group > largest ? group : largest;
    }
    if (largest == kUnknownGroup) {
      while (args.group_ids[row] != kUnknownGroup) {
        row++;
      }
      args.status->detail[0] = args.rows - row;
      return;
    }
  }
}

static void run(const group_codes_args& args) {
  if (args.phase == CODES_PLACE) {
    place(args);
  } else {
    resolve(args);
  }
}

}  // namespace hash
