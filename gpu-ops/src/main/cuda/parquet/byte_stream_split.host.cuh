// Host form; included by byte_stream_split.cuh only.
#pragma once

namespace split {

inline constexpr u32 kGroup = 16;   // values interleaved at a time
inline constexpr u32 kTile = 1024;  // values of the byte by byte form, so that they stay in cache

using bytes16 = u8 __attribute__((ext_vector_type(16)));

// One round: streams k and k + Width / 2 become one of byte pairs, in two vectors. After as many
// rounds as Width has factors of two, the vectors hold the values in order.
template <u32 Width, u32 Rounds>
ARIADNE_INLINE void interleave(bytes16* v) {
  if constexpr (Rounds > 0) {
    bytes16 next[Width];
#pragma unroll
    for (u32 k = 0; k < Width / 2; k++) {
      const bytes16 a = v[k];
      const bytes16 b = v[k + Width / 2];
      next[2 * k] =
          __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      next[2 * k + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                                14, 30, 15, 31);
    }
#pragma unroll
    for (u32 k = 0; k < Width; k++) {
      v[k] = next[k];
    }
    interleave<Width, Rounds - 1>(v);
  }
}

// Values [first, end), byte by byte; `in` is the first stream's byte of value 0 of the window.
ARIADNE_FUNCTION void copy_bytes(const u8* in, u64 values, u32 width, u8* out, u32 first, u32 end) {
  for (u32 from = first; from < end; from += kTile) {
    const u32 to = end - from < kTile ? end : from + kTile;
    for (u32 k = 0; k < width; k++) {
      const u8* stream = in + k * values;
      for (u32 i = from; i < to; i++) {
        out[static_cast<u64>(i) * width + k] = stream[i];
      }
    }
  }
}

template <u32 Width>
ARIADNE_FUNCTION void merge(const u8* in, u64 values, u8* out, u32 count) {
  u32 i = 0;
  for (; i + kGroup <= count; i += kGroup) {
    bytes16 v[Width];
#pragma unroll
    for (u32 k = 0; k < Width; k++) {
      __builtin_memcpy(&v[k], in + k * values + i, sizeof(bytes16));
    }
    interleave<Width, static_cast<u32>(__builtin_ctz(Width))>(v);
    __builtin_memcpy(out + static_cast<u64>(i) * Width, v, sizeof(v));
  }
  copy_bytes(in, values, Width, out, i, count);
}

ARIADNE_FUNCTION void run(const parquet_byte_stream_split_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (!is_valid(task, args.status, number, true)) {
      return;
    }
    const u64 values = task.data_bytes / task.width;
    const u8* in = task.data + task.skip;
    u8* out = static_cast<u8*>(task.out);
    switch (task.width) {
      case 2:
        return merge<2>(in, values, out, task.count);
      case 4:
        return merge<4>(in, values, out, task.count);
      case 8:
        return merge<8>(in, values, out, task.count);
      case 16:
        return merge<16>(in, values, out, task.count);
      default:
        return copy_bytes(in, values, task.width, out, 0, task.count);
    }
  });
}

}  // namespace split
