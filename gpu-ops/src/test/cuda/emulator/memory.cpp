// Regions of global memory and the declarations of shared memory.
#include "emulator/memory.hpp"

#include "emulator/lock.hpp"
#include "emulator/system.hpp"

namespace emulator {

u8 owned_shared_bytes[kSharedBytes / 4 + 1];
cell* shared_shadow;

namespace {

constexpr u32 kMaxRegions = 1 << 16;
constexpr u32 kCacheSlots = 256;
constexpr u32 kMaxDeclarations = 64;
constexpr u32 kRedZone = 16;

struct declaration {
  const void* key;
  u32 offset;
};

region* regions;  // sorted by base
u32 region_count;
region* cache[kCacheSlots];

u8* shared_memory;
declaration declarations[kMaxDeclarations];
u32 declaration_count;
u32 static_shared_used;

// First region whose base lies above the address.
u32 upper_bound(const void* address) {
  u32 low = 0;
  u32 high = region_count;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    if (regions[middle].base <= static_cast<const u8*>(address)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool holds(const region& r, const void* address) {
  return static_cast<u64>(static_cast<const u8*>(address) - r.base) < r.bytes;
}

void forget_cache() {
  for (region*& slot : cache) {
    slot = nullptr;
  }
}

u64 shadow_bytes(u64 bytes) { return (bytes + 3) / 4 * sizeof(cell); }

void own_shared(u32 offset, u32 bytes) {
  for (u32 i = 0; i < bytes; i += 4) {
    owned_shared_bytes[(offset + i) / 4] = static_cast<u8>(bytes - i < 4 ? bytes - i : 4);
  }
}

void fill_with_noise(u8* at, u32 bytes) {
  for (u32 i = 0; i + 4 <= bytes; i += 4) {
    const u32 noise = random_u32();
    memcpy(at + i, &noise, 4);
  }
}

}  // namespace

region* find_region(const void* address) {
  region*& slot = cache[reinterpret_cast<u64>(address) >> 12 & (kCacheSlots - 1)];
  if (slot != nullptr && holds(*slot, address)) {
    return slot;
  }
  const u32 i = upper_bound(address);
  if (i == 0 || !holds(regions[i - 1], address)) {
    return nullptr;
  }
  slot = &regions[i - 1];
  return slot;
}

void reset_shared_memory() {
  if (shared_memory == nullptr) {
    shared_memory = static_cast<u8*>(map_pages(usize{kSharedBytes} * kMaxResidentBlocks));
    shared_shadow = map_array<cell>(usize{kSharedBytes} / 4 * kMaxResidentBlocks);
  }
  for (u32 i = 0; i < kMaxResidentBlocks; i++) {
    launch.blocks[i].shared = shared_memory + usize{i} * kSharedBytes;
  }
  memset(owned_shared_bytes, 0, sizeof(owned_shared_bytes));
  declaration_count = 0;
  static_shared_used = 0;
  own_shared(kStaticSharedBytes + kSharedGap, launch.options.dynamic_shared);
}

void poison_shared_memory(block& b) {
  fill_with_noise(b.shared, static_shared_used);
  fill_with_noise(b.shared + kStaticSharedBytes + kSharedGap,
                  (launch.options.dynamic_shared + 3) / 4 * 4);
}

static void* declare_shared(const void* key, u32 bytes, u32 alignment, const void* site) {
  if (declaration_count == kMaxDeclarations) {
    stop("too many shared declarations", site);
  }
  const u32 step = alignment < kRedZone ? kRedZone : alignment;
  const u32 offset = (static_shared_used + step - 1) / step * step;
  const u32 end = (offset + bytes + 3) / 4 * 4 + kRedZone;
  if (end > kStaticSharedBytes) {
    stop("static shared memory above 48 KiB", site);
  }
  for (u32 i = 0; i < kMaxResidentBlocks; i++) {
    fill_with_noise(launch.blocks[i].shared + static_shared_used, end - static_shared_used);
  }
  static_shared_used = end;
  own_shared(offset, bytes);
  declarations[declaration_count++] = {key, offset};
  return launch.running->shared + offset;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void* emulator_shared(const void* key, usize bytes, usize alignment) {
  for (u32 i = 0; i < declaration_count; i++) {
    if (declarations[i].key == key) {
      return launch.running->shared + declarations[i].offset;
    }
  }
  return declare_shared(key, static_cast<u32>(bytes), static_cast<u32>(alignment),
                        __builtin_return_address(0));
}

void* emulator_dynamic_shared() { return launch.running->shared + kStaticSharedBytes + kSharedGap; }

void ariadne_emulator_add_region(void* base, u64 bytes) {
  locked guard;
  if (regions == nullptr) {
    regions = map_array<region>(kMaxRegions);
  }
  if (bytes == 0 || region_count == kMaxRegions || reinterpret_cast<u64>(base) % 4 != 0) {
    abort();
  }
  const u32 at = upper_bound(base);
  memmove(regions + at + 1, regions + at, (region_count - at) * sizeof(region));
  regions[at] = {static_cast<u8*>(base), bytes, static_cast<cell*>(map_pages(shadow_bytes(bytes)))};
  region_count++;
  forget_cache();
}

void ariadne_emulator_remove_region(void* base) {
  locked guard;
  const u32 at = upper_bound(base) - 1;
  if (at >= region_count || regions[at].base != base) {
    abort();
  }
  munmap(regions[at].shadow, shadow_bytes(regions[at].bytes));
  region_count--;
  memmove(regions + at, regions + at + 1, (region_count - at) * sizeof(region));
  forget_cache();
}
}
