#include "emulator/order.hpp"

#include "emulator/system.hpp"

namespace emulator {

namespace {

constexpr u32 kMaxEntries = 512;
constexpr usize kArenaBytes = usize{1} << 28;  // address space; pages come as they are touched
constexpr u32 kTableSlots = 1 << 18;

struct entry {
  u64 unit;    // block uid << 16 | unit
  u32 before;  // accesses with a smaller time are known
};

u64 unit_key(u32 block, u16 unit) { return static_cast<u64>(block) << 16 | unit; }

}  // namespace

class knowledge {
 public:
  u32 count;
  bool everything;
  entry entries[1];

  u32 bound(u64 unit) const {
    u32 low = 0;
    u32 high = count;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (entries[middle].unit < unit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < count && entries[low].unit == unit ? entries[low].before : 0;
  }

  bool knows_any(u32 block, u32 time) const {
    for (u32 i = 0; i < count; i++) {
      if (entries[i].unit >> 16 == block && entries[i].before > time) {
        return true;
      }
    }
    return false;
  }
};

namespace {

struct publication {
  const void* address;
  const knowledge* known;
  u32 launch;
};

u8* arena;
usize arena_used;
publication* table;
u32 table_used;
u32 launch_number;
knowledge everything = {0, true, {}};

knowledge* allocate(u32 entries) {
  const usize bytes = sizeof(knowledge) + entries * sizeof(entry);
  if (arena_used + bytes > kArenaBytes) {
    return nullptr;
  }
  knowledge* k = reinterpret_cast<knowledge*>(arena + arena_used);
  arena_used += (bytes + 15) / 16 * 16;
  k->count = 0;
  k->everything = false;
  return k;
}

// Threads and warps of a block that its own bound already covers carry no information.
void prune(knowledge& k) {
  u32 kept = 0;
  for (u32 first = 0; first < k.count;) {
    u32 end = first;
    u32 block_bound = 0;
    const u64 block = k.entries[first].unit >> 16;
    for (; end < k.count && k.entries[end].unit >> 16 == block; end++) {
      if ((k.entries[end].unit & 0xffff) == kUnitBlock) {
        block_bound = k.entries[end].before;
      }
    }
    for (u32 i = first; i < end; i++) {
      if ((k.entries[i].unit & 0xffff) == kUnitBlock || k.entries[i].before > block_bound) {
        k.entries[kept++] = k.entries[i];
      }
    }
    first = end;
  }
  k.count = kept;
}

bool includes(const knowledge& larger, const knowledge& smaller) {
  for (u32 i = 0; i < smaller.count; i++) {
    if (larger.bound(smaller.entries[i].unit) < smaller.entries[i].before) {
      return false;
    }
  }
  return true;
}

u32 slot_of(const void* address) {
  const u64 hash = reinterpret_cast<u64>(address) * 0x9e3779b97f4a7c15ULL;
  u32 slot = static_cast<u32>(hash >> 46);
  while (table[slot].launch == launch_number && table[slot].address != address) {
    slot = (slot + 1) % kTableSlots;
  }
  return slot;
}

}  // namespace

void reset_order() {
  if (arena == nullptr) {
    arena = static_cast<u8*>(map_pages(kArenaBytes));
    table = map_array<publication>(kTableSlots);
  }
  arena_used = 0;
  table_used = 0;
  launch_number++;
}

bool covers(const knowledge* known, const stamp& access) {
  if (known == nullptr) {
    return false;
  }
  if (known->everything || access.unit == kUnitAnyBlock) {
    return true;
  }
  if (access.time < known->bound(unit_key(access.block, kUnitBlock))) {
    return true;
  }
  if (access.unit >= kUnitWarp) {  // several readers: any news from the block counts for all
    return known->knows_any(access.block, access.time);
  }
  const u16 warp = static_cast<u16>(kUnitWarp | access.unit / kLanes);
  return access.time < known->bound(unit_key(access.block, access.unit)) ||
         access.time < known->bound(unit_key(access.block, warp));
}

const knowledge* merge(const knowledge* left, const knowledge* right) {
  if (left == right || right == nullptr) {
    return left;
  }
  if (left == nullptr) {
    return right;
  }
  if (left->everything || right->everything) {
    return &everything;
  }
  if (includes(*left, *right)) {
    return left;
  }
  knowledge* k = allocate(left->count + right->count);
  if (k == nullptr) {
    return &everything;
  }
  u32 i = 0;
  u32 j = 0;
  while (i < left->count || j < right->count) {
    if (j == right->count || (i < left->count && left->entries[i].unit < right->entries[j].unit)) {
      k->entries[k->count++] = left->entries[i++];
    } else if (i == left->count || right->entries[j].unit < left->entries[i].unit) {
      k->entries[k->count++] = right->entries[j++];
    } else {
      const entry& a = left->entries[i++];
      const entry& b = right->entries[j++];
      k->entries[k->count++] = a.before > b.before ? a : b;
    }
  }
  prune(*k);
  return k->count > kMaxEntries ? &everything : k;
}

const knowledge* release(thread& t) {
  const block& b = *launch.running;
  const u32 w = warp_of(t);
  launch.time++;
  knowledge* own = allocate(3);
  if (own == nullptr) {
    return &everything;
  }
  own->count = 3;
  own->entries[0] = {unit_key(b.uid, static_cast<u16>(t.thread_index)), launch.time};
  own->entries[1] = {unit_key(b.uid, static_cast<u16>(kUnitWarp | w)), b.warp_of[w].barrier_time};
  own->entries[2] = {unit_key(b.uid, kUnitBlock), b.barrier_time};
  return merge(t.known, own);
}

const knowledge* published(const void* address) {
  const publication& p = table[slot_of(address)];
  return p.launch == launch_number ? p.known : nullptr;
}

void publish(const void* address, const knowledge* known) {
  publication& p = table[slot_of(address)];
  if (p.launch == launch_number) {
    p.known = known;
  } else if (known != nullptr) {
    const bool full = table_used > kTableSlots / 4 * 3;
    if (!full) {
      table_used++;
      p = {address, known, launch_number};
    }
  }
}

}  // namespace emulator
