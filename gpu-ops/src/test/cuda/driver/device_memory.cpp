#include "driver/device_memory.hpp"

#include "emulator/emulator.hpp"
#include "emulator/system.hpp"

namespace driver {

namespace {

constexpr u32 kMaxAllocations = 4096;
constexpr u64 kLimitBytes = u64{4} << 30;
constexpr u64 kPageBytes = 4096;
constexpr int kNoAccess = 0;  // PROT_NONE

struct allocation {
  u64 address;
  u64 bytes;        // as asked for
  u64 paged_bytes;  // as mapped
};

allocation allocations[kMaxAllocations];
u32 allocation_count;
u64 total_bytes;

void protect_all(int protection) {
  for (u32 i = 0; i < allocation_count; i++) {
    mprotect(reinterpret_cast<void*>(allocations[i].address), allocations[i].paged_bytes,
             protection);
  }
}

}  // namespace

u64 allocate(u64 bytes) {
  const u64 paged_bytes = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  if (bytes == 0 || allocation_count == kMaxAllocations ||
      paged_bytes > kLimitBytes - total_bytes) {
    return 0;
  }
  // One page more than needed: an allocation never touches its neighbour.
  void* pages = emulator::map_pages(paged_bytes + kPageBytes);
  mprotect(pages, paged_bytes + kPageBytes, kNoAccess);
  ariadne_emulator_add_region(pages, (bytes + 3) / 4 * 4);
  const u64 address = reinterpret_cast<u64>(pages);
  allocations[allocation_count++] = {address, bytes, paged_bytes};
  total_bytes += paged_bytes;
  return address;
}

bool release(u64 address) {
  for (u32 i = 0; i < allocation_count; i++) {
    if (allocations[i].address == address) {
      void* pages = reinterpret_cast<void*>(address);
      ariadne_emulator_remove_region(pages);
      munmap(pages, allocations[i].paged_bytes + kPageBytes);
      total_bytes -= allocations[i].paged_bytes;
      allocations[i] = allocations[--allocation_count];
      return true;
    }
  }
  return false;
}

bool is_allocated(u64 address, u64 bytes) {
  for (u32 i = 0; i < allocation_count; i++) {
    const allocation& it = allocations[i];
    if (address >= it.address && address - it.address <= it.bytes &&
        bytes <= it.bytes - (address - it.address)) {
      return true;
    }
  }
  return false;
}

u64 allocated_bytes() { return total_bytes; }
u64 limit_bytes() { return kLimitBytes; }

access::access() { protect_all(emulator::kReadWrite); }
access::~access() { protect_all(kNoAccess); }

}  // namespace driver
