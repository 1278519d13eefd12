// group_find on the host; included by group_assign.cu only.
#pragma once

#include "hash/group_assign.host.cuh"

namespace hash {

// The table that has the keys with a hash, if any has. `Parts` says whether there are several.
template <bool Parts>
ARIADNE_INLINE group_part part_of(const group_assign_args& args, u64 hash) {
  if constexpr (Parts) {
    return args.parts[hash >> (64 - GROUP_PART_BITS)];
  } else {
    return {args.slots, args.group_keys, args.key_heap, args.slot_count, 0};
  }
}

ARIADNE_INLINE u32 slot_of(const group_part& part, u64 hash) {
  return static_cast<u32>(hash) & (part.slot_count - 1);
}

// Brings the leaders' slots into the cache, then the keys of the groups that are there.
template <bool Parts>
static void prefetch_found(const key_batch& batch, const leaders& found) {
  const group_assign_args& args = batch.args;
  const u64* hashes = batch.column(0);
  for (u32 k = 0; k < found.count; k++) {
    const u64 hash = hashes[found.row[k]];
    const group_part part = part_of<Parts>(args, hash);
    __builtin_prefetch(part.slots + slot_of(part, hash));
  }
  for (u32 k = 0; k < found.count; k++) {
    const u64 hash = hashes[found.row[k]];
    const group_part part = part_of<Parts>(args, hash);
    const u32 reference = static_cast<u32>(part.slots[slot_of(part, hash)]);
    const u32 group = reference != 0 ? reference - 1 : 0;
    __builtin_prefetch(part.group_keys + static_cast<u64>(group) * args.key_words);
  }
}

// Group of row i of the batch, or GROUP_NONE.
template <u32 Words, bool Parts>
ARIADNE_INLINE u32 find_group(const key_batch& batch, u32 i) {
  const u64 hash = batch.at(0, i);
  const group_part part = part_of<Parts>(batch.args, hash);
  const u32 mask = part.slot_count - 1;
  for (u32 at = slot_of(part, hash);; at = (at + 1) & mask) {
    const u64 found = part.slots[at];
    if (found == 0) {
      return GROUP_NONE;
    }
    const u32 group = static_cast<u32>(found) - 1;
    const u64* key = part.group_keys + static_cast<u64>(group) * batch.args.key_words;
    if (static_cast<u32>(found >> 32) == tag_of(hash) &&
        is_same_key<Words>(batch, i, key, part.key_heap)) {
      return part.first_group + group;
    }
  }
}

template <u32 Words, bool Parts>
static void find_rows(const group_assign_args& args) {
  alignas(64) u64 words[kBatchRows * kMaxKeyWords];
  leaders found;
  for (u32 row = 0; row < args.rows && !status::cancelled(args.status); row += kBatchRows) {
    const u32 left = args.rows - row;
    const key_batch batch = {args, words, row, left < kBatchRows ? left : kBatchRows};
    normalize_batch(batch);
    find_leaders(batch, found);
    if constexpr (Parts) {
      prefetch_found<Parts>(batch, found);
    } else {
      prefetch_groups(batch, found);
    }
    u32* groups = args.group_ids + row;
    for (u32 k = 0; k < found.count; k++) {
      u32 i = found.row[k];
      const bool is_null = static_cast<u32>(batch.at(1, i)) != 0;
      const u32 group = is_null ? u32{GROUP_NULL_KEY} : find_group<Words, Parts>(batch, i);
      do {
        groups[i++] = group;
      } while (i < found.row[k + 1]);
    }
  }
}

template <u32 Words>
static void find_in_tables(const group_assign_args& args) {
  if (args.parts != nullptr) {
    find_rows<Words, true>(args);
  } else {
    find_rows<Words, false>(args);
  }
}

static void find(const group_assign_args& args) {
  switch (args.key_words) {
    case 3:
      find_in_tables<3>(args);
      break;
    case 4:
      find_in_tables<4>(args);
      break;
    default:
      find_in_tables<0>(args);
      break;
  }
}

}  // namespace hash
