// group_partition on the GPU, in phases that are launches of their own:
//   PARTITION_RANK   groups get their places within their partitions: blocks count their groups in
//                    shared memory and take a range of each partition at once
//   PARTITION_PLACE  one block adds up the partitions' counts
//   PARTITION_COPY   words go to their places, neighbouring words of a group by neighbouring
//   threads
#pragma once

#include "hash/group_partition.cuh"
#include "pattern/block_scan.gpu.cuh"

namespace hash {

using target::order;

inline constexpr u32 kPartitionItems = 4;

struct partition_scratch {
  u32 counts[kMaxPartitions];
  u32 first[kMaxPartitions];
};

// All threads of the block call it.
ARIADNE_INLINE void rank_tile(const group_partition_args& args, u64 first_group,
                              partition_scratch& scratch) {
  const u32 partitions = 1u << args.bits;
  for (u32 p = target::thread_index(); p < partitions; p += target::block_size()) {
    scratch.counts[p] = 0;
  }
  target::block_barrier();
  u32 partition[kPartitionItems];
  u32 rank[kPartitionItems];
#pragma unroll
  for (u32 j = 0; j < kPartitionItems; j++) {
    const u64 group = first_group + j * target::block_size() + target::thread_index();
    if (group < args.groups) {
      partition[j] =
          partition_of(args, target::load_ro(args.group_keys + group * args.key_words));
      rank[j] = target::atomic_add<order::relaxed>(scratch.counts + partition[j], 1u);
    }
  }
  target::block_barrier();
  for (u32 p = target::thread_index(); p < partitions; p += target::block_size()) {
    const u32 count = scratch.counts[p];
    scratch.first[p] =
        count == 0 ? 0 : target::atomic_add<order::relaxed>(args.first_groups + p, count);
  }
  target::block_barrier();
#pragma unroll
  for (u32 j = 0; j < kPartitionItems; j++) {
    const u64 group = first_group + j * target::block_size() + target::thread_index();
    if (group < args.groups) {
      args.ranks[group] = scratch.first[partition[j]] + rank[j];
    }
  }
  target::block_barrier();
}

ARIADNE_INLINE void rank(const group_partition_args& args) {
  ARIADNE_SHARED(partition_scratch, scratch);
  const u64 rows = u64{target::block_size()} * kPartitionItems;
  for (u64 first = target::block_index() * rows; first < args.groups;
       first += target::grid_size() * rows) {
    rank_tile(args, first, scratch);
  }
}

ARIADNE_INLINE void place(const group_partition_args& args) {
  ARIADNE_SHARED(pattern::block_sum_scratch<u32>, scratch);
  if (target::block_index() != 0) {
    return;
  }
  const u32 partitions = 1u << args.bits;
  u32 sum = 0;
  for (u32 first = 0; first < partitions; first += target::block_size()) {
    const u32 p = first + target::thread_index();
    const u32 count = p < partitions ? args.first_groups[p] : 0;
    u32 total;
    const u32 before = pattern::block_exclusive_sum(count, scratch, total);
    if (p < partitions) {
      args.first_groups[p] = sum + before;
    }
    sum += total;
    target::block_barrier();
  }
  if (target::thread_index() == 0) {
    args.first_groups[partitions] = sum;
  }
}

ARIADNE_INLINE void copy_words(const group_partition_args& args, const u64* from, u64* to,
                               u32 words) {
  const u64 end = static_cast<u64>(args.groups) * words;
  const u64 step = u64{target::grid_size()} * target::block_size();
  for (u64 i = u64{target::block_index()} * target::block_size() + target::thread_index(); i < end;
       i += step) {
    const u64 group = i / words;
    const u64 hash = target::load_ro(args.group_keys + group * args.key_words);
    const u64 at = u64{target::load_ro(args.first_groups + partition_of(args, hash))} +
                   target::load_ro(args.ranks + group);
    to[at * words + i % words] = target::load_ro(from + i);
  }
}

ARIADNE_INLINE void run(const group_partition_args& args) {
  switch (args.phase) {
    case PARTITION_RANK:
      rank(args);
      break;
    case PARTITION_PLACE:
      place(args);
      break;
    case PARTITION_COPY:
      copy_words(args, args.group_keys, args.sorted_keys, args.key_words);
      copy_words(args, args.records, args.sorted_records, args.record_words);
      break;
    default:
      break;
  }
}

}  // namespace hash
