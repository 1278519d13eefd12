// group_partition on the host: count, then copy each group to the next place of its partition.
#pragma once

#include "hash/group_partition.cuh"

namespace hash {

static void run(const group_partition_args& args) {
  if (args.phase != PARTITION_RANK) {
    return;
  }
  u32 next[kMaxPartitions] = {};
  const u32 partitions = 1u << args.bits;
  for (u32 group = 0; group < args.groups; group++) {
    next[partition_of(args, args.group_keys[static_cast<u64>(group) * args.key_words])]++;
  }
  u32 sum = 0;
  for (u32 p = 0; p < partitions; p++) {
    const u32 count = next[p];
    args.first_groups[p] = sum;
    next[p] = sum;
    sum += count;
  }
  args.first_groups[partitions] = sum;
  for (u32 group = 0; group < args.groups; group++) {
    const u64* key = args.group_keys + static_cast<u64>(group) * args.key_words;
    const u64* record = args.records + static_cast<u64>(group) * args.record_words;
    const u64 place = next[partition_of(args, key[0])]++;
    u64* sorted_key = args.sorted_keys + place * args.key_words;
    u64* sorted_record = args.sorted_records + place * args.record_words;
#pragma clang loop vectorize(disable) unroll(disable)
    for (u32 word = 0; word < args.key_words; word++) {
      sorted_key[word] = key[word];
    }
#pragma clang loop vectorize(disable) unroll(disable)
    for (u32 word = 0; word < args.record_words; word += 2) {  // records are 16-byte aligned
      sorted_record[word] = record[word];
      sorted_record[word + 1] = record[word + 1];
    }
  }
}

}  // namespace hash
