// GPU form; included by snappy.cuh only.
#pragma once

#include "parquet/tiles.gpu.cuh"
#include "pattern/warp.gpu.cuh"

namespace snappy {

// Bytes of a window; elements begin in all but the last four, so that they are seen whole.
inline constexpr u32 kWindow = target::kWarpSize;
inline constexpr u32 kBehind = 4;
inline constexpr u32 kBegins = kWindow - kBehind;
// In a place: the source of a literal's byte, counted from the start of the stream.
inline constexpr u64 kInStream = u64{1} << 63;

// What a lane knows of the element at its byte, and of the result's bytes up to it.
struct window {
  element own;
  bool is_element;
  u64 end;  // bytes of the result made by the window's elements up to this lane's
};

// Which lanes hold elements, when one begins at the first: after n rounds a lane knows all that
// the first 2^n steps from its own byte reach.
ARIADNE_INLINE u32 find_elements(u64 bytes) {
  const u32 lane = target::lane_index();
  const bool can_begin = lane < kBegins;
  u32 reached = can_begin ? 1u << lane : 0;
  u32 next = can_begin && bytes < kBegins - lane ? lane + static_cast<u32>(bytes) : kWindow - 1;
#pragma unroll
  for (u32 round = 0; round < 4; round++) {
    reached |= target::shuffle(reached, next);
    next = target::shuffle(next, next);
  }
  return target::shuffle(reached, 0);
}

// The elements of the window at `at`, which is inside the stream.
ARIADNE_INLINE window read_window(const parquet_task& task, u64 at) {
  const u32 lane = target::lane_index();
  const u64 own = at + lane;
  const u32 byte = own < task.data_bytes ? target::load_ro(task.data + own) : 0;
  u32 behind = 0;
#pragma unroll
  for (u32 i = 0; i < kBehind; i++) {
    behind |= target::shuffle_down(byte, i + 1) << 8 * i;
  }
  window w;
  w.own = read_element(byte, behind);
  const u64 bytes = w.own.bytes + (w.own.is_literal ? w.own.length : 0);
  w.is_element = (find_elements(bytes) >> lane & 1) != 0 && own < task.data_bytes;
  w.end = pattern::warp_inclusive_sum(w.is_element ? w.own.length : u64{0});
  return w;
}

// What is wrong with a window's elements: of the first that is, if any.
ARIADNE_INLINE failure check_window(const parquet_task& task, const window& w, u64 at, u64 made) {
  const u64 own = at + target::lane_index();
  u32 code = 0;
  if (w.is_element) {
    const u64 before = made + w.end - w.own.length;
    const u64 room = before < task.count ? task.count - before : 0;
    code = code_of(w.own, task.data_bytes - own, before, room);
  }
  const u32 wrong = target::ballot(code != 0);
  if (wrong == 0) {
    return {};
  }
  const u32 first = static_cast<u32>(__builtin_ctz(wrong));
  return {at + first, target::shuffle(code, first)};
}

// Where byte `byte` of the window's result comes from: a place in the stream, or of the result.
ARIADNE_INLINE u64 source_of(const window& w, u64 at, u64 made, u64 byte) {
  u32 which = 0;  // lanes whose elements end at the byte or before it
#pragma unroll
  for (u32 step = kWindow / 2; step > 0; step /= 2) {
    which += target::shuffle(w.end, which + step - 1) <= byte ? step : 0;
  }
  const u64 length = target::shuffle(w.own.length, which);
  const u64 end = target::shuffle(w.end, which);
  const u64 distance = target::shuffle(w.own.distance, which);
  const u32 is_literal = target::shuffle(static_cast<u32>(w.own.is_literal), which);
  const u64 inside = byte - (end - length);
  return is_literal != 0 ? kInStream | (at + which + distance + inside) : made + byte - distance;
}

// Writes the bytes that a window's elements encode, 32 at a time.
ARIADNE_INLINE void write_window(const parquet_task& task, const window& w, u64 at, u64 made) {
  u8* const out = static_cast<u8*>(task.out);
  const u64 total = target::shuffle(w.end, kWindow - 1);
  for (u64 first = 0; first < total; first += kWindow) {
    const u64 byte = first + target::lane_index();
    const u64 begin = made + first;
    u64 source = source_of(w, at, made, byte < total ? byte : total - 1);
    // places of the result that are made now: their sources instead
    bool is_pending = source >= begin && source < kInStream;
    while (target::any(is_pending)) {
      const u64 other = target::shuffle(source, static_cast<u32>(source - begin) % kWindow);
      source = is_pending ? other : source;
      is_pending = source >= begin && source < kInStream;
    }
    if (byte < total) {
      const u8 value =
          source >= kInStream ? target::load_ro(task.data + (source - kInStream)) : out[source];
      target::store(out + made + byte, value);
    }
    target::warp_barrier();
  }
}

ARIADNE_INLINE u64 first_bytes(const parquet_task& task) {
  u64 bytes = 0;
#pragma unroll
  for (u32 i = 0; i < 5; i++) {
    bytes |= static_cast<u64>(i < task.data_bytes ? target::load_ro(task.data + i) : 0) << 8 * i;
  }
  return bytes;
}

ARIADNE_FUNCTION failure decode(const parquet_task& task) {
  const parquet::varint declared = parquet::read_varint(first_bytes(task), task.data_bytes);
  failure failed = check_size(declared, task.count);
  u64 at = declared.length;
  u64 made = 0;
  while (failed.code == 0 && at < task.data_bytes) {
    const window w = read_window(task, at);
    failed = check_window(task, w, at, made);
    if (failed.code == 0) {
      write_window(task, w, at, made);
      const u32 last = 31 - static_cast<u32>(__builtin_clz(target::ballot(w.is_element)));
      const u64 bytes = w.own.bytes + (w.own.is_literal ? w.own.length : 0);
      at += last + target::shuffle(bytes, last);
      made += target::shuffle(w.end, kWindow - 1);
    }
  }
  if (failed.code == 0 && made < task.count) {
    failed = {task.data_bytes, PARQUET_ERROR_TRUNCATED};
  }
  return failed;
}

ARIADNE_FUNCTION void run(const parquet_snappy_args& args) {
  for (u32 number = parquet::launch_warp(); number < args.task_count;
       number += parquet::launch_warps()) {
    const failure failed = decode(parquet::load_task(args.tasks, number));
    if (failed.code != 0 && target::lane_index() == 0) {
      parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
    }
  }
}

}  // namespace snappy
