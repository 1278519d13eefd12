// Host form; included by delta.cuh only.
#pragma once

namespace delta {

inline constexpr u32 kScratch = 256;  // values, a multiple of eight

// Reads past the values before the window, and the part of the window that shares their last
// scratch; gives how many values of the window that is.
template <typename Out>
ARIADNE_FUNCTION failure skip_values(const source& source, stream& s, const parquet_task& task,
                                     u32& done) {
  alignas(64) Out scratch[kScratch];
  Out* out = static_cast<Out*>(task.out);
  for (u32 at = 0; at < task.skip;) {
    const u32 count = s.left < kScratch ? s.left : kScratch;
    const failure failed = read(source, s, scratch, count);
    if (failed.code != 0) {
      return failed;
    }
    if (at + count > task.skip) {
      const u32 behind = at + count - task.skip;
      done = behind < task.count ? behind : task.count;
      __builtin_memcpy(out, scratch + (task.skip - at), done * sizeof(Out));
    }
    at += count;
  }
  return {0, 0};
}

template <typename Out>
ARIADNE_FUNCTION failure decode(const parquet_task& task) {
  const source source = {task.data, task.data_bytes};
  stream s;
  failure failed = open(source, 0, s);
  if (failed.code != 0) {
    return failed;
  }
  if (task.skip + task.count > s.values) {
    return {PARQUET_ERROR_TRUNCATED, task.data_bytes};
  }
  u32 done = 0;
  failed = skip_values<Out>(source, s, task, done);
  if (failed.code != 0) {
    return failed;
  }
  return read(source, s, static_cast<Out*>(task.out) + done, task.count - done);
}

ARIADNE_FUNCTION void run(const parquet_delta_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (task.width != sizeof(u32) && task.width != sizeof(u64)) {
      return parquet::raise(args.status, number, 0, PARQUET_ERROR_WIDTH);
    }
    const failure failed = task.width == sizeof(u32) ? decode<u32>(task) : decode<u64>(task);
    if (failed.code != 0) {
      parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
    }
  });
}

}  // namespace delta
