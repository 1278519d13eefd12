// group_find on the host; included by group_assign.cu only.
#pragma once

#include "hash/group_assign.host.cuh"

namespace hash {

// Group of row i of the batch, or GROUP_NONE.
template <u32 Words>
ARIADNE_INLINE u32 find_group(const host_insert& table, const key_batch& batch, u32 i) {
  const u64 hash = batch.at(0, i);
  const u32 mask = table.args.slot_count - 1;
  for (u32 at = static_cast<u32>(hash) & mask;; at = (at + 1) & mask) {
    const u64 found = table.args.slots[at];
    if (found == 0) {
      return GROUP_NONE;
    }
    const u32 group = static_cast<u32>(found) - 1;
    if (static_cast<u32>(found >> 32) == tag_of(hash) &&
        is_same_key<Words>(table, batch, i, group)) {
      return group;
    }
  }
}

template <u32 Words>
static void find_rows(const group_assign_args& args) {
  alignas(64) u64 words[kBatchRows * kMaxKeyWords];
  const host_insert table = {args, 0, 0};
  leaders found;
  for (u32 row = 0; row < args.rows && !status::cancelled(args.status); row += kBatchRows) {
    const u32 left = args.rows - row;
    const key_batch batch = {args, words, row, left < kBatchRows ? left : kBatchRows};
    normalize_batch(batch);
    find_leaders(batch, found);
    prefetch_groups(batch, found);
    u32* groups = args.group_ids + row;
    for (u32 k = 0; k < found.count; k++) {
      u32 i = found.row[k];
      const bool is_null = static_cast<u32>(batch.at(1, i)) != 0;
      const u32 group = is_null ? GROUP_NULL_KEY : find_group<Words>(table, batch, i);
      do {
        groups[i++] = group;
      } while (i < found.row[k + 1]);
    }
  }
}

static void find(const group_assign_args& args) {
  switch (args.key_words) {
    case 3:
      find_rows<3>(args);
      break;
    case 4:
      find_rows<4>(args);
      break;
    default:
      find_rows<0>(args);
      break;
  }
}

}  // namespace hash
