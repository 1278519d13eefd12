// Device memory of the fake driver: real pages at their real addresses, but without any access
// right while no driver call is running, so that a host that touches a device address faults at
// once.
#pragma once

#include "target/types.cuh"

namespace driver {

// Returns the address of zeroed memory, or 0 when the limit is reached. The emulator knows it.
u64 allocate(u64 bytes);

// Returns whether `address` was the start of an allocation, which is then gone.
bool release(u64 address);

// Whether `bytes` bytes from an address lie in one allocation.
bool is_allocated(u64 address, u64 bytes);

u64 allocated_bytes();
u64 limit_bytes();

// Gives access to device memory for as long as it lives.
class access {
 public:
  access();
  ~access();
  access(const access&) = delete;
  access& operator=(const access&) = delete;
};

}  // namespace driver
