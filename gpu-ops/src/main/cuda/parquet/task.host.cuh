// Host form: tasks one after another; included by task.cuh only.
#pragma once

namespace parquet {

// Calls body(task, number) for each task until the launch is cancelled.
template <typename Arguments, typename Body>
ARIADNE_INLINE void for_tasks(const Arguments& args, Body body) {
  for (u32 number = 0; number < args.task_count && !status::cancelled(args.status); number++) {
    body(args.tasks[number], number);
  }
}

// The first bytes of a stream's rest, zero behind its end.
ARIADNE_INLINE u64 load_bytes(const u8* at, u64 available) {
  u64 bytes = 0;
  if (available >= sizeof(bytes)) {
    __builtin_memcpy(&bytes, at, sizeof(bytes));
    return bytes;
  }
  for (u64 i = 0; i < available; i++) {
    bytes |= static_cast<u64>(at[i]) << 8 * i;
  }
  return bytes;
}

}  // namespace parquet
