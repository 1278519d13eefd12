// Host form; included by fixed_binary.cuh only.
#pragma once

#include "parquet/view.cuh"

namespace fixed_binary {

ARIADNE_INLINE u64x2 view_of(const parquet_task& task, u64 offset) {
  const u8* at = task.data + offset;
  const u64 left = task.data_bytes - offset;
  const u64 bytes = parquet::load_bytes(at, left);
  if (task.width > column::kInlineLength) {
    return parquet::long_view(task.width, static_cast<u32>(bytes), task.aux + offset);
  }
  const u64 next = left > 8 ? parquet::load_bytes(at + 8, left - 8) : 0;
  return parquet::short_view(task.width, bytes, next);
}

ARIADNE_FUNCTION void run(const parquet_fixed_binary_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (task.count == 0 || !is_valid(task, args.status, number, true)) {
      return;
    }
    u64x2* out = static_cast<u64x2*>(task.out);
    u64 offset = static_cast<u64>(task.skip) * task.width;
    for (u32 i = 0; i < task.count; i++, offset += task.width) {
      out[i] = view_of(task, offset);
    }
  });
}

}  // namespace fixed_binary
