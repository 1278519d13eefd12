// Memory that kernels may touch, and the shadow that remembers who touched it last.
#pragma once

#include "emulator/order.hpp"
#include "emulator/state.hpp"

namespace emulator {

// Shadow of one aligned 4-byte word.
struct cell {
  stamp write;
  stamp read;
};

struct region {
  u8* base;
  u64 bytes;
  cell* shadow;
};

// Registered memory that holds the address, or null.
region* find_region(const void* address);

// Shared memory: maps it on first use, and forgets the declarations of the last launch.
void reset_shared_memory();
// Poisons the block's shared memory with random bytes.
void poison_shared_memory(block& b);

inline u32 shared_offset(const block& b, const void* address) {
  const u64 distance = reinterpret_cast<u64>(address) - reinterpret_cast<u64>(b.shared);
  return distance < kSharedBytes ? static_cast<u32>(distance) : kSharedBytes;
}

// One access of 1 to 16 bytes that the running thread makes: checks bounds and races and feeds the
// meter. `site` names the place in the code.
void check_access(const void* address, u32 bytes, bool is_write, const void* site);

// Stops the launch when it has written any of the bytes, which may lie outside all regions.
void check_unwritten(const void* address, u32 bytes, const void* site);

// The same for an atomic access of 4 or 8 bytes, which may both read and write; not metered.
void check_atomic(const void* address, u32 bytes, bool is_read, bool is_write, const void* site);

}  // namespace emulator
