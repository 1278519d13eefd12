// Happens-before across threads: what each unit of execution knows of the others.
//
// The launch has one clock that advances at every synchronisation; each access is stamped with it.
// A barrier orders a block (or a warp) by time alone. A release publishes, at an address, "thread X
// before time t, X's warp and block before their last barrier, and all that X knew"; an acquire of
// the published value adds that to the reader's knowledge. A knowledge is an immutable sorted list,
// shared by pointer. When one grows beyond kMaxEntries it becomes "everything": the checker then
// misses races but reports none that is not there.
#pragma once

#include "emulator/state.hpp"

namespace emulator {

// Whoever made an access: a thread of a block, or, when several threads read, their warp or block.
inline constexpr u16 kUnitWarp = 0x4000;  // | warp index
inline constexpr u16 kUnitBlock = 0x8000;
inline constexpr u16 kUnitAnyBlock = 0xffff;

struct stamp {
  u32 block;  // uid; below launch.first_uid = left over from an earlier launch
  u32 time;
  u16 unit;
  u8 mask;  // bytes of the 4-byte word
  u8 atomic;
};

// Forgets all published knowledge; at the start of a launch.
void reset_order();

// Whether `known` (may be null) places the access before the present.
bool covers(const knowledge* known, const stamp& access);

// The union of the two; either may be null.
const knowledge* merge(const knowledge* left, const knowledge* right);

// What the thread publishes when it releases now; advances the clock.
const knowledge* release(thread& t);

// Knowledge published at an address, or null.
const knowledge* published(const void* address);
void publish(const void* address, const knowledge* known);

}  // namespace emulator
