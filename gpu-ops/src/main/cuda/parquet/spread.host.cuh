// Host form; included by spread.cuh only.
#pragma once

#include "parquet/bits.host.cuh"

namespace spread {

inline constexpr u32 kPollWords = 1 << 10;

// Calls step(word number, its live bits, rows of it, values before it, values of it) for each 64
// rows until the values run out or the launch is cancelled.
template <typename Step>
ARIADNE_INLINE void for_words(const parquet_spread_args& args, Step step) {
  u32 before = 0;
  const u32 words = (args.rows + 63) / 64;
  for (u32 word = 0; word < words; word++) {
    if (word % kPollWords == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 rows = args.rows - word * 64 < 64 ? args.rows - word * 64 : 64;
    u64 bits = args.validity[word] & (~u64{0} >> (64 - rows));
    const u32 ones = static_cast<u32>(__builtin_popcountll(bits));
    if (ones > args.dense_count - before) {
      for (u32 left = args.dense_count - before; left > 0; left--) {
        bits &= bits - 1;
      }
      const u64 row = static_cast<u64>(word) * 64 + static_cast<u32>(__builtin_ctzll(bits));
      status::raise(args.status, row, 0, PARQUET_ERROR_TRUNCATED);
      return;
    }
    step(word, bits, rows, before, ones);
    before += ones;
  }
  args.status->rows_out = before;
}

template <typename T>
ARIADNE_FUNCTION void expand_rows(u64 bits, u32 rows, const T* in, T* out) {
  for (u32 i = 0; i < rows; i++) {
    out[i] = bits >> i & 1 ? *in++ : T(0);
  }
}

template <typename T>
ARIADNE_FUNCTION void run_values(const parquet_spread_args& args) {
  const T* const dense = static_cast<const T*>(args.dense);
  T* const rows_out = static_cast<T*>(args.out);
  for_words(args, [&](u32 word, u64 bits, u32 rows, u32 before, u32) {
    const T* in = dense + before;
    T* out = rows_out + static_cast<u64>(word) * 64;
    if (bits == ~u64{0}) {
      __builtin_memcpy(out, in, 64 * sizeof(T));
    } else if (bits == 0 && rows == 64) {
      __builtin_memset(out, 0, 64 * sizeof(T));
    } else if (rows == 64 && args.dense_count - before >= 64) {
      target::expand(in, bits, out);
    } else {
      expand_rows(bits, rows, in, out);
    }
  });
}

ARIADNE_FUNCTION void run_bits(const parquet_spread_args& args) {
  const u8* const dense = static_cast<const u8*>(args.dense);
  u64* const out = static_cast<u64*>(args.out);
  for_words(args, [&](u32 word, u64 bits, u32, u32 before, u32 ones) {
    const u64 values = ones == 0 ? 0 : parquet::load_bits(dense, before, ones);
    out[word] = target::deposit_bits(values, bits);
  });
}

}  // namespace spread
