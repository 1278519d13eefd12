// group_codes on the GPU: a thread per row.
#pragma once

#include "hash/group_codes.cuh"
#include "target/target.cuh"

namespace hash {

ARIADNE_INLINE u32 first_code_row() {
  return target::block_index() * target::block_size() + target::thread_index();
}

ARIADNE_INLINE void place(const group_codes_args& args, u32 row) {
  u32 place = 0;
  for (u32 k = 0; k < args.key_count; k++) {
    const codes_key& key = args.keys[k];
    const u32 loaded = target::load_ro(key.codes + row);
    const bool valid =
        key.validity == nullptr || (target::load_ro(key.validity + row / 64) >> row % 64 & 1) != 0;
    place += (valid ? loaded : key.entries) * key.stride;
  }
  args.places[row] = place;
}

ARIADNE_INLINE void resolve(const group_codes_args& args, u32 row) {
  const u32 group = target::load_ro(args.group_of + target::load_ro(args.places + row));
  args.group_ids[row] = group;
  if (group == kUnknownGroup) {
    const i64 left = args.rows - row;
    target::atomic_max<target::order::relaxed>(reinterpret_cast<i64*>(&args.status->detail[0]),
                                               left);
  }
}

ARIADNE_INLINE void run(const group_codes_args& args) {
  const u32 step = target::grid_size() * target::block_size();
  if (args.phase == CODES_PLACE) {
    for (u32 row = first_code_row(); row < args.rows; row += step) {
      place(args, row);
    }
  } else {
    for (u32 row = args.first_row + first_code_row(); row < args.rows; row += step) {
      resolve(args, row);
    }
  }
}

}  // namespace hash
