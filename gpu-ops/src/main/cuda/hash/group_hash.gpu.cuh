// group_hash on the GPU: a thread per row; included by group_assign.cu only.
#pragma once

#include "hash/group_assign.gpu.cuh"

namespace hash {

ARIADNE_INLINE void hash_keys(const group_assign_args& args) {
  for (u32 row = first_index(); row < args.rows; row += index_step()) {
    args.row_keys[row] = normalize_row(args, row, [](u32, u64) {});
  }
}

}  // namespace hash
