// The state of a launch: fibers, resident blocks, and the clock that orders synchronisation.
#pragma once

#include "emulator/emulator.hpp"
#include "target/emulator_abi.cuh"

namespace emulator {

class knowledge;

inline constexpr u32 kLanes = target::kWarpSize;
inline constexpr u32 kMaxWarps = kMaxBlockSize / kLanes;
inline constexpr u32 kMaxResidentBlocks = 4;
inline constexpr u32 kStackBytes = 64 << 10;
inline constexpr u32 kGuardBytes = 4 << 10;
inline constexpr u32 kStaticSharedBytes = 48 << 10;
inline constexpr u32 kDynamicSharedBytes = 227 << 10;
inline constexpr u32 kSharedGap = 256;  // unowned bytes after the static and the dynamic part
inline constexpr u32 kSharedBytes = kStaticSharedBytes + kDynamicSharedBytes + 2 * kSharedGap;

enum class thread_state : u8 { ready, at_block_barrier, at_collective, done };

// One fiber.
struct thread {
  u32 thread_index;
  u32 block_index;
  void* stack_pointer;
  u8* stack;         // lowest usable byte
  const void* site;  // where it waits
  u64 value;         // operand, then result, of a collective
  u32 argument;
  emulator_collective collective;
  thread_state state;
  u64 accesses;
  u32 atomics_since_switch;
  const knowledge* known;              // what other units did before this point
  const knowledge* released_by_fence;  // known at the last fence: what a relaxed store publishes
  const knowledge* pending;            // met by relaxed loads: known after the next fence
};

struct warp {
  u32 ready;         // lanes that can run
  u32 done;          // lanes that have returned
  u32 barrier_time;  // time of the last barrier of this warp
  u32 phase;         // how often its lanes have come together
};

struct block {
  bool live;
  u32 slot;
  u32 uid;           // unique over all launches; stamps in shadow memory carry it
  u32 barrier_time;  // time of the last block barrier
  u32 warps;
  u32 waiting;  // threads at the block barrier
  u32 done;
  const knowledge* known;  // known to all threads since the last barrier
  thread* threads;
  warp warp_of[kMaxWarps];
  u8* shared;
};

struct launch_state {
  void (*entry)(const void*);
  const u8* args;
  u32 args_size;
  emulator_launch_options options;
  emulator_report* report;
  block blocks[kMaxResidentBlocks];
  block* running;
  thread* self;   // the fiber that runs; null in the scheduler
  u32 time;       // advances at every synchronisation
  u32 first_uid;  // uid of the first block of this launch
  u64 random;
  u64 idle;  // spins since anything last moved
  void* scheduler_stack_pointer;
};

extern launch_state launch;

inline u32 random_u32() {
  u64 x = launch.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  launch.random = x;
  return static_cast<u32>((x * 0x2545f4914f6cdd1dULL) >> 32);
}

inline u32 random_below(u32 bound) {
  return static_cast<u32>(static_cast<u64>(random_u32()) * bound >> 32);
}

inline u32 warp_of(const thread& t) { return t.thread_index / kLanes; }

// Back to the scheduler; returns when the fiber is run again.
void yield();

// Ends the launch with an error; `what` and the place go to the report. Called on a fiber.
[[noreturn]] void stop(const char* what, const void* site, const void* address = nullptr,
                       const char* detail = "");

// The same from the scheduler: records and returns.
void record_error(const char* what, const thread* where, const void* site, const void* address,
                  const char* detail = "");

}  // namespace emulator
