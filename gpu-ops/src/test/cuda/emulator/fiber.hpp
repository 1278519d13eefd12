// Fibers of the emulated GPU threads.
#pragma once

#include "emulator/state.hpp"

namespace emulator {

inline constexpr usize kStackStride = kStackBytes + kGuardBytes;

// Stacks of `count` fibers, kStackStride apart, each below a page that faults; the first is given.
u8* map_stacks(u32 count);

// Makes the fiber start at the kernel's entry when it is next run.
void prepare_fiber(thread& t);

// Runs the fiber until it yields.
void run_fiber(thread& t);

}  // namespace emulator
