// group_find on the GPU: a thread per row, over the key rows that GROUP_NORMALIZE of group_assign
// has written to row_keys; included by group_assign.cu only.
#pragma once

#include "hash/group_assign.gpu.cuh"

namespace hash {

ARIADNE_INLINE u32 find_group(const group_assign_args& args, u32 row) {
  if (static_cast<u32>(row_word(args, 1, row)) != 0) {
    return GROUP_NULL_KEY;
  }
  const u64 hash = row_word(args, 0, row);
  const u32 mask = args.slot_count - 1;
  for (u32 at = static_cast<u32>(hash) & mask;; at = (at + 1) & mask) {
    const u64 found = target::load_ro(args.slots + at);
    if (found == 0) {
      return GROUP_NONE;
    }
    const u32 reference = static_cast<u32>(found);
    if (static_cast<u32>(found >> 32) == tag_of(hash) && is_same_key(args, row, reference)) {
      return reference - 1;
    }
  }
}

ARIADNE_INLINE void find(const group_assign_args& args) {
  for (u32 row = first_index(); row < args.rows; row += index_step()) {
    args.group_ids[row] = find_group(args, row);
  }
}

}  // namespace hash
