// Host form; included by fixed_binary.cuh only.
#pragma once

#include "parquet/view.cuh"

namespace fixed_binary {

// A view of the value at `offset`, which begins with these 16 bytes.
ARIADNE_INLINE u64x2 view_of(const parquet_task& task, u64 offset, u64 bytes, u64 next) {
  if (task.width > column::kInlineLength) {
    return parquet::long_view(task.width, static_cast<u32>(bytes), task.aux + offset);
  }
  return parquet::short_view(task.width, bytes, next);
}

// A value that may be the stream's last.
ARIADNE_FUNCTION u64x2 last_view_of(const parquet_task& task, u64 offset) {
  const u8* const at = task.data + offset;
  const u64 left = task.data_bytes - offset;
  const u64 next = left > 8 ? parquet::load_bytes(at + 8, left - 8) : 0;
  return view_of(task, offset, parquet::load_bytes(at, left), next);
}

ARIADNE_FUNCTION void run_task(const parquet_task task) {
  u64x2* const out = static_cast<u64x2*>(task.out);
  u64 offset = static_cast<u64>(task.skip) * task.width;
  u32 i = 0;
  for (; i < task.count && task.data_bytes - offset >= 16; i++, offset += task.width) {
    u64x2 bytes;
    __builtin_memcpy(&bytes, task.data + offset, sizeof(bytes));
    out[i] = view_of(task, offset, bytes.x, bytes.y);
  }
  for (; i < task.count; i++, offset += task.width) {
    out[i] = last_view_of(task, offset);
  }
}

ARIADNE_FUNCTION void run(const parquet_fixed_binary_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (task.count > 0 && is_valid(task, args.status, number, true)) {
      run_task(task);
    }
  });
}

}  // namespace fixed_binary
