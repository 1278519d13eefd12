// GPU form: a block per task; included by task.cuh only.
#pragma once

namespace parquet {

ARIADNE_INLINE parquet_task load_task(const parquet_task* tasks, u32 number) {
  struct words {
    u64x2 word[sizeof(parquet_task) / sizeof(u64x2)];
  };
  const u64x2* from = reinterpret_cast<const u64x2*>(tasks + number);
  words parts;
#pragma unroll
  for (u32 i = 0; i < sizeof(parquet_task) / sizeof(u64x2); i++) {
    parts.word[i] = target::load_ro(from + i);
  }
  return __builtin_bit_cast(parquet_task, parts);
}

// Calls body(task, number), the whole block together, for this block's share of the tasks.
template <typename Arguments, typename Body>
ARIADNE_INLINE void for_tasks(const Arguments& args, Body body) {
  for (u32 number = target::block_index(); number < args.task_count;
       number += target::grid_size()) {
    body(load_task(args.tasks, number), number);
  }
}

}  // namespace parquet
