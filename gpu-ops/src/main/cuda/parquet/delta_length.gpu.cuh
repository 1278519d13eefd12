// GPU form; included by delta_length.cuh only.
#pragma once

#include "parquet/bytes.gpu.cuh"

namespace delta {

inline constexpr u32 kMaxWarps = 8;

// The view of a string that lies in the stream.
ARIADNE_INLINE u64x2 view_at(const parquet_task& task, u64 at, u32 length) {
  if (length > column::kInlineLength) {
    const u32 prefix = static_cast<u32>(parquet::load_upto16(task.data + at, 4).x);
    return parquet::long_view(length, prefix, task.aux + at);
  }
  const u64x2 bytes = parquet::load_upto16(task.data + at, length);
  return parquet::short_view(length, bytes.x, bytes.y);
}

ARIADNE_FUNCTION failure read_lengths(const parquet_task& task, u32* staged,
                                      parquet_binary_result& result) {
  source source = make_source(task, staged);
  stream s;
  u64 start = 0;
  const u32 end = task.skip + task.count;
  failure failed = open_whole(source, 0, end, s, start);
  u64x2* const out = static_cast<u64x2*>(task.out);
  u32 longest = 0;
  for (u64 first = 0; first < end && failed.code == 0; first += target::kWarpSize) {
    u64 value;
    failed = read_values(source, s, value);
    if (failed.code != 0) {
      break;
    }
    const u64 index = first + target::lane_index();
    const u32 length = index < end ? static_cast<u32>(value) : 0;
    const u64 sum = pattern::warp_inclusive_sum(static_cast<u64>(length));
    const u64 at = start + sum - length;
    const bool is_wrong = at > task.data_bytes || length > task.data_bytes - at;
    const u32 wrong = target::ballot(is_wrong);
    if (wrong != 0) {
      failed = {PARQUET_ERROR_LENGTH, target::shuffle(at, static_cast<u32>(__builtin_ctz(wrong)))};
      break;
    }
    if (index >= task.skip && index < end) {
      target::store(out + (index - task.skip), view_at(task, at, length));
    }
    longest = length > longest ? length : longest;
    start += target::shuffle(sum, target::kWarpSize - 1);
  }
  result = {start, pattern::warp_max(longest), 0};
  return failed;
}

ARIADNE_FUNCTION void run(const parquet_delta_length_args& args) {
  ARIADNE_SHARED_ARRAY(u32, staged, kMaxWarps * kWindowWords);
  u32* const own = staged + target::warp_index() * kWindowWords;
  for (u32 number = parquet::launch_warp(); number < args.task_count;
       number += parquet::launch_warps()) {
    parquet_binary_result result;
    const failure failed = read_lengths(parquet::load_task(args.tasks, number), own, result);
    if (target::lane_index() == 0) {
      if (failed.code != 0) {
        parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
      } else {
        args.results[number] = result;
      }
    }
    target::warp_barrier();
  }
}

}  // namespace delta
