// Device memory in one reserved range of addresses, and page-locked host memory.
#include "driver/driver.hpp"
#include "emulator/emulator.hpp"

namespace driver {

namespace {

// Of a larger block only the beginning is filled. An arena takes all memory of a device, fills what
// it gives out, and uses few pages.
constexpr u64 kMostFreshBytes = 32 << 20;
constexpr int kNoAccess = 0;
constexpr int kFixedLazyPages = 0x4032;  // MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
constexpr u64 kArenaBytes = 1ULL << 38;
constexpr u64 kPage = 4096;
constexpr u64 kChunk = 1ULL << 21;  // what one table of pages covers
constexpr u64 kChunks = kArenaBytes / kChunk;
constexpr u32 kMaxAllocations = 1 << 16;
constexpr u8 kFreshByte = 0xA5;

struct allocation {
  u8* base;
  u64 bytes;
  bool pinned;
};

u8* arena;
u64 arena_used;
u64 device_bytes;
u64 device_count;
u64 pinned_count;
allocation* allocations;  // unordered
u32 allocation_count;
u32 access_depth;
u32* chunk_allocations;  // how many allocations each chunk of the arena has a part of

u64 paged(u64 bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// What an allocation takes of the arena: its pages, and one between neighbours.
u64 taken_by(u64 bytes) { return paged(bytes) + kPage; }

u8* bytes_at(u64 address) { return reinterpret_cast<u8*>(address); }

allocation* find(const void* address) {
  for (u32 i = allocation_count; i > 0; i--) {
    allocation& a = allocations[i - 1];
    if (static_cast<u64>(static_cast<const u8*>(address) - a.base) < a.bytes) {
      return &a;
    }
  }
  return nullptr;
}

void remember(u8* base, u64 bytes, bool pinned) {
  if (allocations == nullptr) {
    allocations = emulator::map_array<allocation>(kMaxAllocations);
  }
  if (allocation_count == kMaxAllocations) {
    abort();
  }
  allocations[allocation_count++] = {base, bytes, pinned};
  ariadne_emulator_add_region(base, bytes);
}

// An access ends where it began: what lives does not change meanwhile.
void require_no_access() {
  if (access_depth > 0) {
    abort();
  }
}

void forget(allocation* a) {
  ariadne_emulator_remove_region(a->base);
  *a = allocations[--allocation_count];
}

void count_in_chunks(const u8* base, u64 bytes, u32 change) {
  const u64 first = static_cast<u64>(base - arena);
  for (u64 c = first / kChunk; c <= (first + taken_by(bytes) - 1) / kChunk; c++) {
    chunk_allocations[c] += change;
  }
}

void protect(u8* base, u64 bytes, int protection) {
  if (mprotect(base, bytes, protection) != 0) {
    abort();
  }
}

void release(allocation* a) {
  const allocation released = *a;
  forget(a);
  if (released.pinned) {
    munmap(released.base, paged(released.bytes));
    pinned_count--;
    return;
  }
  require_no_access();
  // The pages go, the addresses stay reserved: what still points there faults between accesses.
  if (mmap(released.base, paged(released.bytes), kNoAccess, kFixedLazyPages, -1, 0) !=
      released.base) {
    abort();
  }
  count_in_chunks(released.base, released.bytes, ~0U);
  device_bytes -= released.bytes;
  device_count--;
}

// Only where something lives: addresses are not given out again, so a test that allocates often
// would pay for all that it ever had, twice for every copy and launch.
void protect_living(int protection) {
  const u64 end = (arena_used + kChunk - 1) / kChunk;
  for (u64 first = 0; first < end; first++) {
    u64 last = first;
    while (last < end && chunk_allocations[last] > 0) {
      last++;
    }
    if (last > first) {
      protect(arena + first * kChunk, (last - first) * kChunk, protection);
    }
    first = last;
  }
}

}  // namespace

device_access::device_access() {
  if (access_depth++ == 0) {
    protect_living(emulator::kReadWrite);
  }
}

device_access::~device_access() {
  if (--access_depth == 0) {
    protect_living(kNoAccess);
  }
}

u64 allocate_device(u64 bytes) {
  if (bytes > state.options.memory_bytes - device_bytes) {
    return 0;
  }
  if (arena == nullptr) {
    void* pages = mmap(nullptr, kArenaBytes, kNoAccess, emulator::kPrivateLazyPages, -1, 0);
    if (pages == reinterpret_cast<void*>(-1)) {
      abort();
    }
    arena = static_cast<u8*>(pages);
    chunk_allocations = emulator::map_array<u32>(kChunks);
  }
  if (taken_by(bytes) > kArenaBytes - arena_used) {
    abort();
  }
  require_no_access();
  u8* base = arena + arena_used;
  arena_used += taken_by(bytes);
  count_in_chunks(base, bytes, 1);
  protect(base, paged(bytes), emulator::kReadWrite);
  memset(base, kFreshByte, bytes < kMostFreshBytes ? bytes : kMostFreshBytes);
  protect(base, paged(bytes), kNoAccess);
  device_bytes += bytes;
  device_count++;
  remember(base, bytes, false);
  return reinterpret_cast<u64>(base);
}

bool free_device(u64 address) {
  allocation* a = find(bytes_at(address));
  if (a == nullptr || a->pinned || a->base != bytes_at(address)) {
    return false;
  }
  release(a);
  return true;
}

void* allocate_pinned(u64 bytes) {
  u8* base = static_cast<u8*>(emulator::map_pages(paged(bytes)));
  memset(base, kFreshByte, bytes);
  pinned_count++;
  remember(base, bytes, true);
  return base;
}

bool free_pinned(void* address) {
  allocation* a = find(address);
  if (a == nullptr || !a->pinned || a->base != address) {
    return false;
  }
  release(a);
  return true;
}

bool is_visible(u64 address, u64 bytes) {
  const allocation* a = find(bytes_at(address));
  return a != nullptr && bytes <= a->bytes - static_cast<u64>(bytes_at(address) - a->base);
}

bool is_pinned(const void* address) {
  const allocation* a = find(address);
  return a != nullptr && a->pinned;
}

bool is_device(u64 address) {
  return arena != nullptr && static_cast<u64>(bytes_at(address) - arena) < kArenaBytes;
}

u64 used_device_bytes() { return device_bytes; }
u64 open_device_allocations() { return device_count; }
u64 open_pinned_allocations() { return pinned_count; }

// Addresses are given out again only after this.
void free_all_memory() {
  while (allocation_count > 0) {
    release(&allocations[allocation_count - 1]);
  }
  arena_used = 0;
}

}  // namespace driver
