#pragma once

#include "column/status.cuh"

// group_partition sorts the groups of a table by partition, some bits of their hashes, so that
// tables can be merged partition by partition. A group is its normalised key (group_assign.cuh) and
// its record of accumulators; both are copied as they are. The order within a partition is that of
// the table on the host and any on the GPU.
//
// Launch order on the GPU: phases PARTITION_RANK, PARTITION_PLACE, PARTITION_COPY. On the host
// PARTITION_RANK does everything and the other two return at once.
enum partition_phase : u32 { PARTITION_RANK = 0, PARTITION_PLACE = 1, PARTITION_COPY = 2 };

enum partition_limit : u32 { PARTITION_MAX_BITS = 8 };

// Arguments of kernel group_partition. It raises no errors.
struct group_partition_args {
  kernel_status* status;
  const u64* group_keys;  // groups * key_words words
  const u64* records;     // groups * record_words words
  u64* sorted_keys;       // out
  u64* sorted_records;    // out
  u32* first_groups;      // zeroed; out: (1 << bits) + 1 numbers: where each partition starts and
                          // the last ends
  u32* ranks;             // GPU only: groups numbers of scratch
  u32 phase;              // partition_phase
  u32 groups;
  u32 key_words;
  u32 record_words;
  u32 bits;  // at most PARTITION_MAX_BITS
  u32 skip;  // bits of the hash before those, by which the groups were partitioned before
};

namespace hash {

inline constexpr u32 kMaxPartitions = 1u << PARTITION_MAX_BITS;

// Returns the partition of a group with a hash.
ARIADNE_INLINE u32 partition_of(const group_partition_args& args, u64 hash) {
  return static_cast<u32>(((hash << args.skip) >> 32) >> (32 - args.bits));
}

}  // namespace hash
