// dense_groups on the GPU: a thread per row; of the rows of a key the smallest number wins.
#pragma once

#include "hash/dense_groups.cuh"

namespace hash {

using target::order;

ARIADNE_INLINE u32 first_dense_row() {
  return target::block_index() * target::block_size() + target::thread_index();
}
ARIADNE_INLINE u32 dense_step() { return target::grid_size() * target::block_size(); }

ARIADNE_INLINE void find_range(const dense_groups_args& args) {
  u64 least = 0;  // of ~ordered(value), which is greatest where the value is least
  u64 greatest = 0;
  for (u32 row = first_dense_row(); row < args.rows; row += dense_step()) {
    if (column::is_valid(args.key, row)) {
      const u64 value = ordered(one_word(args.key, row));
      least = ~value > least ? ~value : least;
      greatest = value > greatest ? value : greatest;
    }
  }
  if ((least | greatest) != 0) {
    target::atomic_max<order::relaxed>(args.range, least);
    target::atomic_max<order::relaxed>(args.range + 1, greatest);
  }
}

ARIADNE_INLINE void put(const dense_groups_args& args) {
  for (u32 row = first_dense_row(); row < args.rows; row += dense_step()) {
    if (column::is_valid(args.key, row)) {
      const u64 place = dense_place(args, one_word(args.key, row));
      target::atomic_max<order::relaxed>(args.entries + place, ~row);
    }
  }
}

ARIADNE_INLINE void assign(const dense_groups_args& args) {
  u64 groups = 0;
  for (u32 row = first_dense_row(); row < args.rows; row += dense_step()) {
    const bool valid = column::is_valid(args.key, row);
    const u32 group =
        valid ? ~args.entries[dense_place(args, one_word(args.key, row))] : row;
    args.group_ids[row] = group;
    groups += group == row ? 1 : 0;
  }
  if (groups != 0) {
    target::atomic_add<order::relaxed>(&args.status->rows_out, groups);
  }
}

ARIADNE_INLINE void find(const dense_groups_args& args) {
  for (u32 row = first_dense_row(); row < args.rows; row += dense_step()) {
    const u64 place = dense_place(args, one_word(args.key, row));
    const u32 entry = place < args.entry_count ? target::load_ro(args.entries + place) : 0;
    const u32 group = entry == 0 ? u32{GROUP_NONE} : ~entry;
    args.group_ids[row] = column::is_valid(args.key, row) ? group : u32{GROUP_NULL_KEY};
  }
}

ARIADNE_INLINE void run(const dense_groups_args& args) {
  switch (args.phase) {
    case DENSE_RANGE:
      find_range(args);
      break;
    case DENSE_PUT:
      put(args);
      break;
    case DENSE_GROUPS:
      assign(args);
      break;
    case DENSE_FIND:
      find(args);
      break;
    default:
      break;
  }
}

}  // namespace hash
