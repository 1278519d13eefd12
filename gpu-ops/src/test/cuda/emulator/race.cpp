// Bounds and races of single accesses.
//
// Two accesses of different threads to the same bytes, one of them a write and not both atomic,
// must be ordered: by a barrier of their block or warp, or by a release and acquire (order.hpp).
// The shadow keeps the last write and the last reader of each word, or the readers' warp or block;
// bytes of one word written by different threads are told apart, but only the last of them is
// remembered.
#include "emulator/memory.hpp"
#include "emulator/meter.hpp"
#include "emulator/text.hpp"

extern "C" {
extern const u8 __ehdr_start[] __attribute__((visibility("hidden")));  // the library's own image
extern const u8 _end[] __attribute__((visibility("hidden")));
}

namespace emulator {

extern u8 owned_shared_bytes[];
extern cell* shared_shadow;

namespace {

bool same_thread(const stamp& a, const stamp& b) { return a.block == b.block && a.unit == b.unit; }

u16 warp_unit(const stamp& s) {
  return s.unit < kUnitWarp ? static_cast<u16>(kUnitWarp | s.unit / kLanes) : s.unit;
}

// Whether the earlier access is known to have happened before what the running thread does now.
bool ordered(const stamp& earlier, const thread& t) {
  if (earlier.block < launch.first_uid) {
    return true;
  }
  const block& b = *launch.running;
  if (earlier.block == b.uid && earlier.unit != kUnitAnyBlock) {
    const u32 w = warp_of(t);
    if (earlier.time < b.barrier_time) {
      return true;
    }
    if (warp_unit(earlier) == (kUnitWarp | w) && earlier.time < b.warp_of[w].barrier_time) {
      return true;
    }
  }
  return covers(t.known, earlier);
}

[[noreturn]] void stop_race(const char* what, const stamp& earlier, const void* address,
                            const void* site) {
  char other[128];
  text message(other, sizeof(other));
  message << " by ";
  if (earlier.unit == kUnitAnyBlock) {
    message << "several blocks";
  } else {
    message << "block " << earlier.block - launch.first_uid;
    if (earlier.unit < kUnitWarp) {
      message << " thread " << u32{earlier.unit};
    } else if (earlier.unit < kUnitBlock) {
      message << " warp " << u32{earlier.unit} - kUnitWarp;
    }
    message << (earlier.atomic ? " (atomic)" : "");
  }
  stop(what, site, address, other);
}

bool conflicts(const stamp& earlier, const stamp& now, const thread& t) {
  return (earlier.mask & now.mask) != 0 && !(earlier.atomic && now.atomic) &&
         !same_thread(earlier, now) && !ordered(earlier, t);
}

// Remembers one more reader beside those of `c.read`, none of which the new one comes after.
void add_reader(stamp& read, const stamp& now) {
  const u8 common = read.mask & now.mask;
  if (common == 0) {
    read = now;
    return;
  }
  if (read.block != now.block || read.unit == kUnitAnyBlock) {
    read.unit = kUnitAnyBlock;
  } else {
    read.unit = warp_unit(read) == warp_unit(now) ? warp_unit(now) : kUnitBlock;
  }
  read.block = now.block;
  read.time = now.time;
  read.mask = common;
  read.atomic &= now.atomic;
}

void touch(cell& c, const stamp& now, bool is_write, const void* address, const void* site) {
  thread& t = *launch.self;
  if (conflicts(c.write, now, t)) {
    stop_race(
        is_write ? "race: write after an unordered write" : "race: read after an unordered write",
        c.write, address, site);
  }
  if (is_write) {
    if (conflicts(c.read, now, t)) {
      stop_race("race: write after an unordered read", c.read, address, site);
    }
    c.write = now;
  } else if (same_thread(c.read, now) && c.read.time == now.time) {
    c.read.mask |= now.mask;
  } else if (c.read.mask == 0 || same_thread(c.read, now) || ordered(c.read, t)) {
    c.read = now;
  } else {
    add_reader(c.read, now);
  }
}

void touch_words(cell* c, const void* address, u32 bytes, bool is_write, bool atomic,
                 const void* site) {
  const thread& t = *launch.self;
  u32 skip = static_cast<u32>(reinterpret_cast<u64>(address) % 4);
  stamp now = {launch.running->uid, launch.time, static_cast<u16>(t.thread_index), 0, atomic};
  for (u32 left = bytes; left > 0; c++) {
    const u32 here = left < 4 - skip ? left : 4 - skip;
    now.mask = static_cast<u8>(((1u << here) - 1) << skip);
    touch(*c, now, is_write, address, site);
    left -= here;
    skip = 0;
  }
}

bool in_library(const void* address) { return address >= __ehdr_start && address < _end; }

bool in_arguments(const void* address, u32 bytes) {
  const u64 offset = static_cast<u64>(static_cast<const u8*>(address) - launch.args);
  return offset + bytes <= launch.args_size;
}

cell* shared_cell(u32 offset) {
  return shared_shadow + usize{launch.running->slot} * (kSharedBytes / 4) + offset / 4;
}

void check_initialized(const cell* c, const void* site, const void* address) {
  if (c->write.block != launch.running->uid &&
      (launch.options.flags & emulator_no_initialization_check) == 0) {
    stop("uninitialised: read of shared memory that the block has not written", site, address);
  }
}

// Shared memory starts afresh with each block.
void forget_other_blocks(cell* c, u32 words, u32 uid) {
  for (u32 i = 0; i < words; i++) {
    if (c[i].write.block != uid) {
      c[i].write = {};
    }
    if (c[i].read.block != uid) {
      c[i].read = {};
    }
  }
}

void check_shared(u32 offset, const void* address, u32 bytes, bool is_write, bool atomic,
                  const void* site) {
  for (u32 at = offset; at < offset + bytes;) {
    const u32 word_end = at / 4 * 4 + 4;
    const u32 end = offset + bytes < word_end ? offset + bytes : word_end;
    if (end - at / 4 * 4 > owned_shared_bytes[at / 4]) {
      stop(is_write ? "out of bounds: write to shared memory"
                    : "out of bounds: read of shared memory",
           site, address);
    }
    at = end;
  }
  const block& b = *launch.running;
  cell* c = shared_cell(offset);
  forget_other_blocks(c, (offset % 4 + bytes + 3) / 4, b.uid);
  if (!is_write) {
    check_initialized(c, site, address);
  }
  if ((launch.options.flags & emulator_no_race_check) == 0) {
    touch_words(c, address, bytes, is_write, atomic, site);
  } else if (is_write) {
    c->write.block = b.uid;
  }
}

// Global memory: returns whether the address is a kernel's business at all.
bool check_global(const void* address, u32 bytes, bool is_write, bool atomic, const void* site) {
  const region* r = find_region(address);
  if (r == nullptr) {
    if (!is_write && (in_library(address) || in_arguments(address, bytes))) {
      return false;
    }
    stop(is_write ? "out of bounds: write outside every buffer"
                  : "out of bounds: read outside every buffer",
         site, address);
  }
  const u64 offset = static_cast<u64>(static_cast<const u8*>(address) - r->base);
  if (offset + bytes > r->bytes) {
    stop("out of bounds: access beyond the end of a buffer", site, address);
  }
  if ((launch.options.flags & emulator_no_race_check) == 0) {
    touch_words(r->shadow + offset / 4, address, bytes, is_write, atomic, site);
  }
  return true;
}

}  // namespace

void check_access(const void* address, u32 bytes, bool is_write, const void* site) {
  thread& t = *launch.self;
  t.accesses++;
  const u32 offset = shared_offset(*launch.running, address);
  if (offset < kSharedBytes) {
    check_shared(offset, address, bytes, is_write, false, site);
    return;
  }
  const u64 depth = static_cast<u64>(static_cast<const u8*>(address) - t.stack);
  if (depth < kStackBytes) {
    return;
  }
  if (check_global(address, bytes, is_write, false, site) &&
      (launch.options.flags & emulator_no_meter) == 0) {
    meter_access(address, bytes, site);
  }
}

void check_unwritten(const void* address, u32 bytes, const void* site) {
  const region* r = find_region(address);
  if (r == nullptr) {
    return;
  }
  const u64 first = static_cast<u64>(static_cast<const u8*>(address) - r->base);
  for (u64 at = first / 4; at * 4 < first + bytes && at * 4 < r->bytes; at++) {
    if (r->shadow[at].write.block >= launch.first_uid) {
      stop_race("stale: load_ro of memory that this launch writes", r->shadow[at].write, address,
                site);
    }
  }
}

void check_atomic(const void* address, u32 bytes, bool is_read, bool is_write, const void* site) {
  if (reinterpret_cast<u64>(address) % bytes != 0) {
    stop("misaligned: atomic access", site, address);
  }
  launch.self->accesses += is_write;
  launch.report->atomics++;
  const u32 offset = shared_offset(*launch.running, address);
  if (offset < kSharedBytes) {
    if (is_read && is_write) {
      check_initialized(shared_cell(offset), site, address);
    }
    check_shared(offset, address, bytes, is_write, true, site);
  } else {
    check_global(address, bytes, is_write, true, site);
  }
}

}  // namespace emulator
