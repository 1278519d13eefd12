// GPU form; included by convert.cuh only.
#pragma once

#include "parquet/staged.gpu.cuh"
#include "parquet/tiles.gpu.cuh"

namespace convert {

inline constexpr u32 kTileValues = 128;
inline constexpr u32 kMaxWarps = 8;
inline constexpr u32 kTileBytes = kTileValues * 16;
inline constexpr u32 kTileWords = parquet::staged_words(kTileBytes);

// Values per tile, so that a tile has at most kTileBytes.
ARIADNE_INLINE u32 tile_values(const parquet_task& task) {
  return task.width <= kTileBytes / kTileValues ? kTileValues : kTileBytes / kMaxBigEndianWidth;
}

// This warp's shared memory, the same for every conversion.
ARIADNE_FUNCTION u32* own_words() {
  ARIADNE_SHARED_ARRAY(u32, staged, kMaxWarps * kTileWords);
  return staged + target::warp_index() * kTileWords;
}

template <typename T>
ARIADNE_INLINE T load(const parquet::staged_bytes& bytes, u32 at) {
  if constexpr (sizeof(T) <= 4) {
    const u32 word = bytes.word(at);
    if constexpr (sizeof(T) == 4) {
      return __builtin_bit_cast(T, word);
    } else {
      return static_cast<T>(word);
    }
  } else {
    struct words {
      u32 word[sizeof(T) / 4];
    };
    words parts;
#pragma unroll
    for (u32 i = 0; i < sizeof(T) / 4; i++) {
      parts.word[i] = bytes.word(at + 4 * i);
    }
    return __builtin_bit_cast(T, parts);
  }
}

// Calls body(bytes, at, task, number, i) for each value: its bytes begin at `at` of the staged
// ones, and it is value i of the task's output.
template <typename HasWidth, typename Body>
ARIADNE_INLINE void for_values(const parquet_convert_args& args, HasWidth has_width, Body body) {
  u32* const own = own_words();
  const u32 lane = target::lane_index();
  parquet::for_tiles(args, tile_values, [&](const parquet_task& task, u32 number, u32 first) {
    const bool reports = first == 0 && lane == 0;
    if (!is_valid(task, args.status, number, has_width(task.width), reports)) {
      return;
    }
    const u32 values = tile_values(task);
    const u32 count = task.count - first < values ? task.count - first : values;
    const u64 offset = (static_cast<u64>(task.skip) + first) * task.width;
    const auto bytes = parquet::stage_bytes(task.data + offset, count * task.width, own);
    for (u32 i = lane; i < count; i += target::kWarpSize) {
      body(bytes, i * task.width, task, number, first + i);
    }
    target::warp_barrier();
  });
}

ARIADNE_INLINE void raise(const parquet_convert_args& args, const parquet_task& task, u32 number,
                          u32 i, parquet_error code) {
  const u64 offset = (static_cast<u64>(task.skip) + i) * task.width;
  parquet::raise(args.status, number, offset, code);
}

template <typename Function>
ARIADNE_FUNCTION void run_fixed(const parquet_convert_args& args) {
  using stored = typename Function::in;
  using result = typename Function::out;
  for_values(
      args, [](u32 width) { return width == sizeof(stored); },
      [&](const parquet::staged_bytes& bytes, u32 at, const parquet_task& task, u32 number, u32 i) {
        const stored value = load<stored>(bytes, at);
        if (Function::fails(value)) {
          return raise(args, task, number, i, PARQUET_ERROR_CONVERSION);
        }
        result converted = Function::convert(value);
        if constexpr (Function::calendar_of != conversion::calendar::none) {
          if (args.rebase != PARQUET_REBASE_NONE && is_old<Function>(args, converted)) {
            if (args.rebase == PARQUET_REBASE_FAIL) {
              return raise(args, task, number, i, PARQUET_ERROR_REBASE);
            }
            converted = rebase<Function>(args, converted);
          }
        }
        target::store(static_cast<result*>(task.out) + i, converted);
      });
}

template <typename In, typename Out>
ARIADNE_FUNCTION void run_decimal(const parquet_convert_args& args) {
  const u128 factor = element::long_power_of_ten(args.scale).value;
  const auto bounds = conversion::bounds_of<Out>(args.scale, args.is_exact);
  for_values(
      args, [](u32 width) { return width == sizeof(In); },
      [&](const parquet::staged_bytes& bytes, u32 at, const parquet_task& task, u32 number, u32 i) {
        const In value = load<In>(bytes, at);
        if (bounds.fails(value)) {
          return raise(args, task, number, i, PARQUET_ERROR_CONVERSION);
        }
        target::store(static_cast<Out*>(task.out) + i, conversion::scaled<Out>(value, factor));
      });
}

// The low 128 bits of a value; `fits` gets whether those above repeat the sign.
ARIADNE_INLINE i128 big_endian(const parquet::staged_bytes& bytes, u32 at, u32 width, bool& fits) {
  const u32 head = width % 4;
  const u32 first = __builtin_bswap32(bytes.word(at));
  // Bytes before the first whole word, or just the sign.
  i32 top = static_cast<i32>(first) >> (head == 0 ? 31 : 32 - 8 * head);
  u128 value = static_cast<u128>(static_cast<i128>(top));
  fits = true;
#pragma clang loop unroll(disable)
  for (u32 i = head; i < width; i += 4) {
    const i64 high = static_cast<i64>(value >> 64);
    fits = fits && high >> 31 == high >> 63;
    value = value << 32 | __builtin_bswap32(bytes.word(at + i));
  }
  return static_cast<i128>(value);
}

template <typename Out>
ARIADNE_FUNCTION void run_big_endian(const parquet_convert_args& args) {
  const u128 factor = element::long_power_of_ten(args.scale).value;
  const auto bounds = conversion::bounds_of<Out>(args.scale, args.is_exact);
  for_values(
      args, is_big_endian_width,
      [&](const parquet::staged_bytes& bytes, u32 at, const parquet_task& task, u32 number, u32 i) {
        bool fits;
        const i128 value = big_endian(bytes, at, task.width, fits);
        const bool has_room = fits || (sizeof(Out) < 16 && args.is_exact == 0);
        if (!has_room || bounds.fails(value)) {
          return raise(args, task, number, i, PARQUET_ERROR_CONVERSION);
        }
        target::store(static_cast<Out*>(task.out) + i, conversion::scaled<Out>(value, factor));
      });
}

}  // namespace convert
