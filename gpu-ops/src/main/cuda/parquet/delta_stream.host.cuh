// Host form; included by delta_stream.cuh only.
//
// Eight deltas at a time are unpacked by the byte shuffles of bit-unpacking and summed in a vector;
// only one addition per eight values waits for the one before.
#pragma once

#include "unpack/unpack.cuh"

namespace delta {

inline constexpr u32 kGroup = 8;

struct source {
  const u8* data;
  u64 bytes;

  ARIADNE_MEMBER u64 number(u64 at, u64& value) const {
    return read_number([this](u64 offset) { return data[offset]; }, at, bytes, value);
  }
  ARIADNE_MEMBER u32 width(u64 widths, u32 index) const { return data[widths + index]; }
};

template <typename T>
using group = T __attribute__((ext_vector_type(kGroup)));

// Eight deltas of Width bits; reads up to 16 bytes behind them.
template <u32 Width, typename Out>
ARIADNE_INLINE void unpack_deltas(const u8* in, group<Out>& deltas) {
  alignas(64) Out values[kGroup] = {};
  if constexpr (Width == 0) {
    // All are the block's smallest.
  } else if constexpr (sizeof(Out) == 4 && unpack::fits(Width, 32)) {
    unpack::unpack_vector<u32, Width, 0>(in, values);
  } else if constexpr (unpack::fits(Width, 64)) {
    unpack::unpack_vector<u64, Width, 0>(in, values);
    unpack::unpack_vector<u64, Width, 4>(in, values);
  } else {
    for (u32 i = 0; i < kGroup; i++) {
      values[i] = static_cast<Out>(unpack::unpack_wide<Width>(in, i));
    }
  }
  __builtin_memcpy(&deltas, values, sizeof(deltas));
}

// Each lane gets the sum of its own and all before it.
template <typename T>
ARIADNE_INLINE void inclusive_sum(group<T>& v) {
  const group<T> zero = {};
  v += __builtin_shufflevector(zero, v, 0, 8, 9, 10, 11, 12, 13, 14);
  v += __builtin_shufflevector(zero, v, 0, 1, 8, 9, 10, 11, 12, 13);
  v += __builtin_shufflevector(zero, v, 0, 1, 2, 3, 8, 9, 10, 11);
}

// Eight values out of eight deltas; `value` is the first of them, then the one behind them.
template <u32 Width, typename Out>
ARIADNE_INLINE void next_group(const u8* in, Out min_delta, group<Out>& value, Out* out) {
  group<Out> deltas;
  unpack_deltas<Width, Out>(in, deltas);
  deltas += min_delta;
  group<Out> sums = deltas;
  inclusive_sum<Out>(sums);
  const group<Out> values = value + (sums - deltas);
  __builtin_memcpy(out, &values, sizeof(values));
  value += __builtin_shufflevector(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
}

// The next `count` values, all within the current miniblock, whose deltas are there.
template <u32 Width, typename Out>
ARIADNE_FUNCTION void expand(const source& source, stream& s, Out* out, u32 count) {
  constexpr u64 overread = unpack::kOverread;
  const u8* in = source.data + s.packed;
  const u64 bytes = source.bytes - s.packed;
  const Out min_delta = static_cast<Out>(s.min_delta);
  group<Out> value = static_cast<Out>(s.value);
  u32 i = 0;
  u64 at = 0;
  for (; i + kGroup <= count && at + Width + overread <= bytes; i += kGroup, at += Width) {
    next_group<Width, Out>(in + at, min_delta, value, out + i);
  }
  for (; i < count; i += kGroup, at += Width) {
    u8 copy[kMaxWidth + overread] = {};
    const u64 left = at < bytes ? bytes - at : 0;
    __builtin_memcpy(copy, in + at, left < Width ? left : Width);
    Out values[kGroup];
    next_group<Width, Out>(copy, min_delta, value, values);
    const u32 rest = count - i < kGroup ? count - i : kGroup;
    __builtin_memcpy(out + i, values, rest * sizeof(Out));
  }
  s.value = value[0];
  s.packed += at;
  s.mini_left -= count;
}

template <typename Out, u32... Widths>
ARIADNE_INLINE void expand_width(const source& source, stream& s, Out* out, u32 count,
                                 unpack::sequence<u32, Widths...>) {
  using function = void (*)(const delta::source&, stream&, Out*, u32);
  static constexpr function table[] = {expand<Widths, Out>...};
  table[s.width](source, s, out, count);
}

// The next `count` values, which the stream has: a multiple of eight, unless nothing more is read.
template <typename Out>
ARIADNE_FUNCTION failure read(const source& source, stream& s, Out* out, u32 count) {
  while (count > 0) {
    if (s.left == 1) {  // the last value has no delta
      *out = static_cast<Out>(s.value);
      s.left = 0;
      return {0, 0};
    }
    if (s.mini_left == 0) {
      const failure failed = next_miniblock(source, s);
      if (failed.code != 0) {
        return failed;
      }
    }
    const u32 values = count < s.mini_left ? count : s.mini_left;
    const u32 deltas = values < s.left ? values : s.left - 1;
    if (s.packed > source.bytes || packed_bytes(s, deltas) > source.bytes - s.packed) {
      return {PARQUET_ERROR_TRUNCATED, source.bytes};
    }
    expand_width(source, s, out, values, unpack::indices<kMaxWidth + 1>{});
    out += values;
    count -= values;
    s.left -= values;
  }
  return {0, 0};
}

}  // namespace delta
