// Block barriers and warp collectives.
#pragma once

#include "emulator/state.hpp"

namespace emulator {

// When no lane of the warp can run and all wait at one collective: computes it and lets them go on.
// Returns whether it did; lanes that wait at different places, or miss some, are an error.
bool resolve_collective(block& b, u32 w);

}  // namespace emulator
