// GPU form: neighbouring threads take neighbouring values; included by fixed_binary.cuh only.
#pragma once

#include "parquet/view.cuh"

namespace fixed_binary {

// Up to eight bytes of the stream from `offset` on; it does not end before.
ARIADNE_INLINE u64 load_bytes(const parquet_task& task, u64 offset, u32 count) {
  u64 bytes = 0;
  for (u32 i = 0; i < 8; i++) {
    if (i < count) {
      bytes |= static_cast<u64>(target::load_ro(task.data + offset + i)) << 8 * i;
    }
  }
  return bytes;
}

ARIADNE_INLINE u64x2 view_of(const parquet_task& task, u64 offset) {
  if (task.width > column::kInlineLength) {
    const u32 prefix = static_cast<u32>(load_bytes(task, offset, 4));
    return parquet::long_view(task.width, prefix, task.aux + offset);
  }
  const u64 bytes = load_bytes(task, offset, task.width < 8 ? task.width : 8);
  const u64 next = task.width > 8 ? load_bytes(task, offset + 8, task.width - 8) : 0;
  return parquet::short_view(task.width, bytes, next);
}

ARIADNE_FUNCTION void run(const parquet_fixed_binary_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (!is_valid(task, args.status, number, target::thread_index() == 0)) {
      return;
    }
    u64x2* out = static_cast<u64x2*>(task.out);
    for (u32 i = target::thread_index(); i < task.count; i += target::block_size()) {
      const u64 offset = (static_cast<u64>(task.skip) + i) * task.width;
      target::store(out + i, view_of(task, offset));
    }
  });
}

}  // namespace fixed_binary
