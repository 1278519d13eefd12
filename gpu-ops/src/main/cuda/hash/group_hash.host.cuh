// group_hash on the host; included by group_assign.cu only.
#pragma once

#include "hash/key_columns.host.cuh"

namespace hash {

static void hash_keys(const group_assign_args& args) {
  alignas(64) u64 words[kBatchRows * kMaxKeyWords];
  for (u32 row = 0; row < args.rows && !status::cancelled(args.status); row += kBatchRows) {
    const u32 left = args.rows - row;
    const key_batch batch = {args, words, row, left < kBatchRows ? left : kBatchRows};
    normalize_batch(batch);
    __builtin_memcpy(args.row_keys + row, batch.column(0), batch.count * sizeof(u64));
  }
}

}  // namespace hash
