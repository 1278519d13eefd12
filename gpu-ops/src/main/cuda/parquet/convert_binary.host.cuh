// Host form; included by convert_binary.cuh only.
#pragma once

namespace convert {

template <typename Out>
ARIADNE_FUNCTION void run_views(const parquet_convert_binary_args& args) {
  const u128 factor = element::long_power_of_ten(args.scale).value;
  parquet::for_tasks(args, [&](parquet_task task, u32 number) {
    task.width = sizeof(string_view);
    if (is_valid(task, args.status, number, true, true)) {
      for (u32 i = 0; i < task.count; i++) {
        convert_one<Out>(args, task, number, factor, i);
      }
    }
  });
}

}  // namespace convert
