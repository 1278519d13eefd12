// GPU form; included by delta.cuh only.
#pragma once

namespace delta {

inline constexpr u32 kMaxWarps = 8;

template <typename Out>
ARIADNE_INLINE void store_window(const parquet_task& task, u64 index, u64 value) {
  if (index >= task.skip && index - task.skip < task.count) {
    target::store(static_cast<Out*>(task.out) + (index - task.skip), static_cast<Out>(value));
  }
}

ARIADNE_FUNCTION failure decode(const parquet_task& task, u32* staged) {
  source source = make_source(task, staged);
  stream s;
  failure failed = open(source, 0, s);
  if (failed.code != 0) {
    return failed;
  }
  const u32 end = task.skip + task.count;
  if (end > s.values) {
    return {PARQUET_ERROR_TRUNCATED, task.data_bytes};
  }
  for (u64 first = 0; first < end && failed.code == 0; first += target::kWarpSize) {
    u64 value;
    failed = read_values(source, s, value);
    if (failed.code == 0) {
      const u64 index = first + target::lane_index();
      if (task.width == sizeof(u32)) {
        store_window<u32>(task, index, value);
      } else {
        store_window<u64>(task, index, value);
      }
    }
  }
  return failed;
}

ARIADNE_FUNCTION void run(const parquet_delta_args& args) {
  ARIADNE_SHARED_ARRAY(u32, staged, kMaxWarps * kWindowWords);
  u32* const own = staged + target::warp_index() * kWindowWords;
  for (u32 number = parquet::launch_warp(); number < args.task_count;
       number += parquet::launch_warps()) {
    const parquet_task task = parquet::load_task(args.tasks, number);
    failure failed = {PARQUET_ERROR_WIDTH, 0};
    if (task.width == sizeof(u32) || task.width == sizeof(u64)) {
      failed = decode(task, own);
    }
    if (failed.code != 0 && target::lane_index() == 0) {
      parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
    }
    target::warp_barrier();
  }
}

}  // namespace delta
