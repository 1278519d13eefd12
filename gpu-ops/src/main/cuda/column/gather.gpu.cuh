// GPU form of gather; included by gather.cuh only.
#pragma once

namespace gather {

inline constexpr u32 kItems = 8;
inline constexpr u32 kWarpRows = kItems * target::kWarpSize;

// Bits of 256 rows as a warp collects them: lane k keeps the word of item k.
struct warp_bits {
  u32 own = 0;

  ARIADNE_MEMBER void add(u32 item, bool bit) {
    const u32 word = target::ballot(bit);
    own = target::lane_index() == item ? word : own;
  }

  // Stores the words that hold a row below `rows`.
  ARIADNE_MEMBER void store(void* words, u32 first_row, u32 rows) const {
    const u32 lane = target::lane_index();
    if (lane < kItems && first_row + lane * target::kWarpSize < rows) {
      target::store(static_cast<u32*>(words) + first_row / 32 + lane, own);
    }
  }
};

// Calls step(first row) for the warp's share of the rows.
template <typename Step>
ARIADNE_INLINE void for_warp_rows(const gather_rows_args& args, Step step) {
  const u32 warps = target::block_size() / target::kWarpSize;
  const u64 stride = static_cast<u64>(target::grid_size()) * warps * kWarpRows;
  const u32 warp = target::block_index() * warps + target::warp_index();
  for (u64 first = static_cast<u64>(warp) * kWarpRows; first < args.rows; first += stride) {
    step(static_cast<u32>(first));
  }
}

ARIADNE_INLINE u32 lane_source(const gather_rows_args& args, u32 row) {
  return row < args.rows ? source_row(args, row) : args.in_rows;
}

template <typename T>
ARIADNE_FUNCTION void run_values(const gather_rows_args& args) {
  const T* in = static_cast<const T*>(args.in.data);
  T* out = static_cast<T*>(args.out);
  for_warp_rows(args, [&](u32 first) {
    warp_bits validity;
    for (u32 k = 0; k < kItems; k++) {
      const u32 row = first + k * target::kWarpSize + target::lane_index();
      const u32 source = lane_source(args, row);
      const T value = source < args.in_rows ? target::load_ro(in + source) : T(0);
      if (row < args.rows) {
        target::store(out + row, value);
      }
      if (args.out_validity != nullptr) {
        validity.add(k, is_valid(args, source));
      }
    }
    if (args.out_validity != nullptr) {
      validity.store(args.out_validity, first, args.rows);
    }
  });
}

ARIADNE_FUNCTION void run_bits(const gather_rows_args& args) {
  for_warp_rows(args, [&](u32 first) {
    warp_bits values;
    warp_bits validity;
    for (u32 k = 0; k < kItems; k++) {
      const u32 row = first + k * target::kWarpSize + target::lane_index();
      const u32 source = lane_source(args, row);
      values.add(k, source < args.in_rows && bit(args.in.data, source));
      validity.add(k, is_valid(args, source));
    }
    values.store(args.out, first, args.rows);
    if (args.out_validity != nullptr) {
      validity.store(args.out_validity, first, args.rows);
    }
  });
}

}  // namespace gather
