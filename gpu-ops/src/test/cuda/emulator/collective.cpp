#include "emulator/collective.hpp"

#include "emulator/order.hpp"

namespace emulator {

namespace {

// Value that the lane gets.
u64 lane_result(const thread* lanes, u32 lane, emulator_collective kind) {
  const u32 argument = lanes[lane].argument;
  switch (kind) {
    case emulator_collective::shuffle_index:
      return lanes[argument % kLanes].value;
    case emulator_collective::shuffle_up:
      return lanes[argument <= lane ? lane - argument : lane].value;
    case emulator_collective::shuffle_down:
      return lanes[argument < kLanes - lane ? lane + argument : lane].value;
    case emulator_collective::shuffle_xor:
      return lanes[(lane ^ argument) % kLanes].value;
    case emulator_collective::ballot:
    case emulator_collective::match_any:
    case emulator_collective::barrier:
      break;
  }
  u32 mask = 0;
  for (u32 i = 0; i < kLanes; i++) {
    const bool set = kind == emulator_collective::ballot ? lanes[i].value != 0
                                                         : lanes[i].value == lanes[lane].value;
    mask |= static_cast<u32>(set) << i;
  }
  return mask;
}

void compute(thread* lanes, emulator_collective kind) {
  u64 results[kLanes];
  if (kind == emulator_collective::ballot) {
    const u64 mask = lane_result(lanes, 0, kind);
    for (u64& result : results) {
      result = mask;
    }
  } else {
    for (u32 i = 0; i < kLanes; i++) {
      results[i] = lane_result(lanes, i, kind);
    }
  }
  for (u32 i = 0; i < kLanes; i++) {
    lanes[i].value = results[i];
  }
}

void pass_warp_barrier(block& b, u32 w) {
  thread* lanes = b.threads + w * kLanes;
  launch.time++;
  b.warp_of[w].barrier_time = launch.time;
  const knowledge* known = nullptr;
  for (u32 i = 0; i < kLanes; i++) {
    known = merge(known, lanes[i].known);
  }
  for (u32 i = 0; i < kLanes; i++) {
    lanes[i].known = known;
  }
}

}  // namespace

bool resolve_collective(block& b, u32 w) {
  thread* lanes = b.threads + w * kLanes;
  const thread* first = nullptr;
  u32 arrived = 0;
  for (u32 i = 0; i < kLanes; i++) {
    if (lanes[i].state != thread_state::at_collective) {
      continue;
    }
    arrived++;
    if (first == nullptr) {
      first = &lanes[i];
    } else if (lanes[i].site != first->site || lanes[i].collective != first->collective) {
      record_error("divergent: lanes of one warp wait at different collectives", &lanes[i],
                   lanes[i].site, nullptr);
      return false;
    }
  }
  if (arrived == 0) {
    return false;
  }
  if (arrived < kLanes) {
    record_error("divergent: warp collective that some lanes do not reach", first, first->site,
                 nullptr);
    return false;
  }
  if (first->collective == emulator_collective::barrier) {
    pass_warp_barrier(b, w);
  } else {
    compute(lanes, first->collective);
  }
  for (u32 i = 0; i < kLanes; i++) {
    lanes[i].state = thread_state::ready;
  }
  b.warp_of[w].ready = kLanes;
  b.warp_of[w].phase++;
  return true;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void emulator_block_barrier() {
  thread& t = *launch.self;
  t.site = __builtin_return_address(0);
  t.state = thread_state::at_block_barrier;
  yield();
}

u64 emulator_warp(emulator_collective kind, u64 value, u32 argument) {
  thread& t = *launch.self;
  t.site = __builtin_return_address(0);
  t.collective = kind;
  t.value = value;
  t.argument = argument;
  t.state = thread_state::at_collective;
  yield();
  return launch.self->value;
}
}
