// Host form of gather; included by gather.cuh only.
#pragma once

namespace gather {

inline constexpr u32 kTileRows = 4096;  // a multiple of 64

// Calls step(first, end) for each tile until the launch is cancelled.
template <typename Step>
ARIADNE_INLINE void for_tiles(const gather_rows_args& args, Step step) {
  for (u32 first = 0; first < args.rows && !status::cancelled(args.status); first += kTileRows) {
    const u32 end = args.rows - first < kTileRows ? args.rows : first + kTileRows;
    step(first, end);
  }
}

// Writes one bit per row of [first, end), in whole words.
template <typename Bit>
ARIADNE_INLINE void write_bits(u64* words, u32 first, u32 end, Bit bit_of) {
  for (u32 row = first; row < end; row += 64) {
    const u32 count = end - row < 64 ? end - row : 64;
    u64 word = 0;
    for (u32 i = 0; i < count; i++) {
      word |= static_cast<u64>(bit_of(row + i)) << i;
    }
    words[row / 64] = word;
  }
}

ARIADNE_INLINE void write_validity(const gather_rows_args& args, u32 first, u32 end) {
  if (args.out_validity != nullptr) {
    write_bits(args.out_validity, first, end,
               [&](u32 row) { return is_valid(args, source_row(args, row)); });
  }
}

template <typename T>
ARIADNE_FUNCTION void run_values(const gather_rows_args& args) {
  const T* in = static_cast<const T*>(args.in.data);
  T* out = static_cast<T*>(args.out);
  for_tiles(args, [&](u32 first, u32 end) {
    for (u32 row = first; row < end; row++) {
      const u32 source = source_row(args, row);
      out[row] = source < args.in_rows ? in[source] : T(0);
    }
    write_validity(args, first, end);
  });
}

ARIADNE_FUNCTION void run_bits(const gather_rows_args& args) {
  for_tiles(args, [&](u32 first, u32 end) {
    write_bits(static_cast<u64*>(args.out), first, end, [&](u32 row) {
      const u32 source = source_row(args, row);
      return source < args.in_rows && bit(args.in.data, source);
    });
    write_validity(args, first, end);
  });
}

}  // namespace gather
