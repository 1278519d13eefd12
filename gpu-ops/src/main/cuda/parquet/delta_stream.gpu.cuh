// GPU form: a warp reads a stream, all lanes in step; included by delta_stream.cuh only.
#pragma once

#include "parquet/staged.gpu.cuh"
#include "parquet/tiles.gpu.cuh"
#include "pattern/warp.gpu.cuh"
#include "unpack/unpack.cuh"

namespace delta {

inline constexpr u32 kWindow = 1024;  // bytes of the stream in shared memory, at least 256
inline constexpr u32 kWindowWords = parquet::staged_words(kWindow);

// The bytes of a task's data, a window of them in the warp's shared memory.
struct source {
  const u8* data;
  u64 bytes;
  u32* staged;  // kWindowWords
  u64 window_start;
  u64 window_end;
  u32 skew;    // of the window's first byte in its word
  u32 widths;  // this lane's byte of those that begin at widths_at
  u64 widths_at;

  // Brings `count` bytes from `at` on, or those that there are, into the window.
  ARIADNE_MEMBER void prepare(u64 at, u32 count) {
    const u64 end = count < bytes - at ? at + count : bytes;
    if (at >= window_start && end <= window_end) {
      return;
    }
    target::warp_barrier();
    window_start = at;
    window_end = kWindow < bytes - at ? at + kWindow : bytes;
    skew = parquet::stage_bytes(data + at, static_cast<u32>(window_end - at), staged).skew;
  }

  ARIADNE_MEMBER u64 number(u64 at, u64& value) {
    value = 0;
    if (at >= bytes) {
      return 0;
    }
    prepare(at, kMaxNumberBytes);
    const u32 first = skew + static_cast<u32>(at - window_start);
    const u8* from = reinterpret_cast<const u8*>(staged) + first;
    return read_number([=](u64 offset) { return from[offset - at]; }, at, bytes, value);
  }

  ARIADNE_MEMBER u32 width(u64 block_widths, u32 index) {
    const u64 at = block_widths + index;
    if (at < widths_at || at - widths_at >= target::kWarpSize) {
      widths_at = at;
      const u64 own = at + target::lane_index();
      widths = own < bytes ? target::load_ro(data + own) : 0;
    }
    return target::shuffle(widths, static_cast<u32>(at - widths_at));
  }

  // The `width` bits that begin `bit` bits behind byte `at` of the window.
  ARIADNE_MEMBER u64 bits(u64 at, u32 bit, u32 width) const {
    const u32 first = (skew + static_cast<u32>(at - window_start)) * 8;
    u64 value;
    unpack::extract(staged, first + bit, width, value);
    return value;
  }
};

ARIADNE_INLINE source make_source(const parquet_task& task, u32* staged) {
  return {task.data, task.data_bytes, staged, 1, 0, 0, 0, ~u64{0}};
}

// Lane l gets delta l of the next 32 of the stream; lanes beyond the stream's deltas get 0.
ARIADNE_FUNCTION failure read_deltas(source& source, stream& s, u64& delta) {
  const u32 lane = target::lane_index();
  const u32 wanted = s.left - 1 < target::kWarpSize ? s.left - 1 : target::kWarpSize;
  delta = 0;
  for (u32 filled = 0; filled < wanted;) {
    if (s.mini_left == 0) {
      const failure failed = next_miniblock(source, s);
      if (failed.code != 0) {
        return failed;
      }
    }
    const u32 count = wanted - filled < s.mini_left ? wanted - filled : s.mini_left;
    const u32 bytes = static_cast<u32>(packed_bytes(s, count));
    if (s.packed > source.bytes || bytes > source.bytes - s.packed) {
      return {PARQUET_ERROR_TRUNCATED, source.bytes};
    }
    if (bytes > 0) {
      source.prepare(s.packed, bytes);
    }
    if (lane >= filled && lane < filled + count) {
      delta = s.min_delta;
      if (s.width > 0) {
        delta += source.bits(s.packed, (lane - filled) * s.width, s.width);
      }
    }
    s.packed += bytes;
    s.mini_left -= count;
    filled += count;
  }
  return {0, 0};
}

// Lane l gets value l of the next 32 of the stream, or of those that are left: at least one.
ARIADNE_FUNCTION failure read_values(source& source, stream& s, u64& value) {
  u64 delta;
  const failure failed = read_deltas(source, s, delta);
  const u64 sum = pattern::warp_inclusive_sum(delta);
  value = s.value + sum - delta;
  s.value += target::shuffle(sum, target::kWarpSize - 1);
  s.left -= s.left < target::kWarpSize ? s.left : target::kWarpSize;
  return failed;
}

}  // namespace delta
