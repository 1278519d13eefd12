// Host form; included by convert.cuh only.
#pragma once

namespace convert {

inline constexpr u32 kChunk = 2048;  // values between looks at errors and old dates

template <typename T>
ARIADNE_INLINE T load(const u8* at) {
  T value;
  __builtin_memcpy(&value, at, sizeof(T));
  return value;
}

// Raises the error of the first value of a chunk that has one.
template <typename Function>
ARIADNE_FUNCTION void raise_first(const parquet_convert_args& args, const parquet_task& task,
                                  u32 number, u32 first, u32 count) {
  using in = typename Function::in;
  for (u32 i = first; i < first + count; i++) {
    const u64 offset = (static_cast<u64>(task.skip) + i) * sizeof(in);
    const in value = load<in>(task.data + offset);
    if (Function::fails(value)) {
      return parquet::raise(args.status, number, offset, PARQUET_ERROR_CONVERSION);
    }
    if constexpr (Function::calendar_of != conversion::calendar::none) {
      if (is_old<Function>(args, Function::convert(value))) {
        return parquet::raise(args.status, number, offset, PARQUET_ERROR_REBASE);
      }
    }
  }
}

// Whether a chunk holds values on which the calendars differ.
template <typename Function>
ARIADNE_FUNCTION bool has_old(const parquet_convert_args& args,
                              const typename Function::out* values, u32 count) {
  u32 old = 0;
  for (u32 i = 0; i < count; i++) {
    old |= is_old<Function>(args, values[i]) ? 1 : 0;
  }
  return old != 0;
}

// Converts a chunk; gives whether it holds an error.
template <typename Function>
ARIADNE_FUNCTION bool convert_chunk(const parquet_convert_args& args, const u8* in,
                                    typename Function::out* out, u32 count) {
  using stored = typename Function::in;
  u32 failed = 0;
  for (u32 i = 0; i < count; i++) {
    const stored value = load<stored>(in + static_cast<u64>(i) * sizeof(stored));
    failed |= Function::fails(value) ? 1 : 0;
    out[i] = Function::convert(value);
  }
  if constexpr (Function::calendar_of != conversion::calendar::none) {
    if (args.rebase != PARQUET_REBASE_NONE && has_old<Function>(args, out, count)) {
      failed |= args.rebase == PARQUET_REBASE_FAIL ? 1 : 0;
      for (u32 i = 0; i < count && failed == 0; i++) {
        out[i] = is_old<Function>(args, out[i]) ? rebase<Function>(args, out[i]) : out[i];
      }
    }
  }
  return failed != 0;
}

template <typename Function>
ARIADNE_FUNCTION void run_fixed(const parquet_convert_args& args) {
  using stored = typename Function::in;
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (!is_valid(task, args.status, number, task.width == sizeof(stored), true)) {
      return;
    }
    const u8* in = task.data + static_cast<u64>(task.skip) * sizeof(stored);
    auto* out = static_cast<typename Function::out*>(task.out);
    for (u32 first = 0; first < task.count; first += kChunk) {
      const u32 count = task.count - first < kChunk ? task.count - first : kChunk;
      const u64 at = static_cast<u64>(first) * sizeof(stored);
      if (convert_chunk<Function>(args, in + at, out + first, count)) {
        return raise_first<Function>(args, task, number, first, count);
      }
    }
  });
}

template <typename In, typename Out>
ARIADNE_FUNCTION void run_decimal(const parquet_convert_args& args) {
  if (args.scale == 0 && args.is_exact != 0) {
    return run_fixed<conversion::exact_cast<In, Out>>(args);
  }
  if (args.scale == 0) {
    return run_fixed<conversion::cast<In, Out>>(args);
  }
  const u128 factor = element::long_power_of_ten(args.scale).value;
  const auto bounds = conversion::bounds_of<Out>(args.scale, args.is_exact);
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (!is_valid(task, args.status, number, task.width == sizeof(In), true)) {
      return;
    }
    const u8* in = task.data + static_cast<u64>(task.skip) * sizeof(In);
    Out* out = static_cast<Out*>(task.out);
    for (u32 i = 0; i < task.count; i++) {
      const u64 at = static_cast<u64>(i) * sizeof(In);
      const In value = load<In>(in + at);
      if (bounds.fails(value)) {
        const u64 offset = static_cast<u64>(task.skip) * sizeof(In) + at;
        return parquet::raise(args.status, number, offset, PARQUET_ERROR_CONVERSION);
      }
      out[i] = conversion::scaled<Out>(value, factor);
    }
  });
}

// A value of up to eight bytes, of which at least eight may be read.
ARIADNE_INLINE i64 short_big_endian(const u8* at, u32 width) {
  return static_cast<i64>(__builtin_bswap64(load<u64>(at))) >> (64 - 8 * width);
}

// The low 128 bits of a value of any width, byte by byte.
ARIADNE_FUNCTION i128 any_big_endian(const u8* at, u32 width) {
  u128 value = static_cast<u128>(static_cast<i128>(static_cast<signed char>(at[0])));
  for (u32 i = 1; i < width; i++) {
    value = value << 8 | at[i];
  }
  return static_cast<i128>(value);
}

// Whether all bytes before the last sixteen repeat the sign.
ARIADNE_FUNCTION bool fits_i128(const u8* at, u32 width) {
  if (width <= 16) {
    return true;
  }
  const u8 sign = at[width - 16] >> 7 != 0 ? 0xff : 0;
  u8 differs = 0;
  for (u32 i = 0; i < width - 16; i++) {
    differs |= at[i] ^ sign;
  }
  return differs == 0;
}

// Values of 9 to 16 bytes, of which at least sixteen may be read.
ARIADNE_INLINE i128 long_big_endian(const u8* at, u32 width) {
  const u128 value = static_cast<u128>(__builtin_bswap64(load<u64>(at))) << 64 |
                     __builtin_bswap64(load<u64>(at + 8));
  return static_cast<i128>(value) >> (128 - 8 * width);
}

// Values whose wide load stays inside the stream; gives their number, 0 when one does not fit.
template <u32 LoadBytes, typename Out, typename Load>
ARIADNE_INLINE u32 convert_wide(const parquet_task& task, u128 factor,
                                const conversion::stored_bounds<Out>& bounds, Load load_value) {
  const u64 start = static_cast<u64>(task.skip) * task.width;
  const u8* in = task.data + start;
  Out* out = static_cast<Out*>(task.out);
  const u64 left = task.data_bytes - start;
  const u64 whole = left < LoadBytes ? 0 : (left - LoadBytes) / task.width + 1;
  const u32 count = whole < task.count ? static_cast<u32>(whole) : task.count;
  if (sizeof(Out) <= 8 && bounds.is_exact) {
    u32 failed = 0;
    for (u32 i = 0; i < count; i++) {
      const auto value = load_value(in + static_cast<u64>(i) * task.width);
      failed |= bounds.fails(value) ? 1 : 0;
      out[i] = conversion::scaled<Out>(value, factor);
    }
    return failed == 0 ? count : 0;
  }
  if (factor == 1) {
    for (u32 i = 0; i < count; i++) {
      out[i] = static_cast<Out>(load_value(in + static_cast<u64>(i) * task.width));
    }
  } else {
    for (u32 i = 0; i < count; i++) {
      out[i] = conversion::scaled<Out>(load_value(in + static_cast<u64>(i) * task.width), factor);
    }
  }
  return count;
}

template <typename Out>
ARIADNE_FUNCTION void run_big_endian(const parquet_convert_args& args) {
  const u128 factor = element::long_power_of_ten(args.scale).value;
  const auto bounds = conversion::bounds_of<Out>(args.scale, args.is_exact);
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    const u32 width = task.width;
    if (!is_valid(task, args.status, number, is_big_endian_width(width), true)) {
      return;
    }
    Out* out = static_cast<Out*>(task.out);
    u32 done = 0;
    if (width <= 8) {
      done = convert_wide<8, Out>(task, factor, bounds,
                                  [=](const u8* at) { return short_big_endian(at, width); });
    } else if (width <= 16) {
      done = convert_wide<16, Out>(task, factor, bounds,
                                   [=](const u8* at) { return long_big_endian(at, width); });
    }
    for (u32 i = done; i < task.count; i++) {
      const u64 offset = (static_cast<u64>(task.skip) + i) * width;
      const u8* at = task.data + offset;
      const bool has_room = (sizeof(Out) < 16 && args.is_exact == 0) || fits_i128(at, width);
      const i128 value = any_big_endian(at, width);
      if (!has_room || bounds.fails(value)) {
        return parquet::raise(args.status, number, offset, PARQUET_ERROR_CONVERSION);
      }
      out[i] = conversion::scaled<Out>(value, factor);
    }
  });
}

}  // namespace convert
