// Coalescing meter: 32-byte sectors that the warps' global requests move, and bytes they need.
//
// The n-th access of the 32 lanes at one place in the code since the warp last came together (at a
// collective or a barrier) counts as one request, as if the lanes ran in step. Bytes asked for by
// several lanes count once.
#pragma once

#include "emulator/state.hpp"

namespace emulator {

// Forgets the requests of the launch before.
void reset_meter();

// One access of the running thread to global memory.
void meter_access(const void* address, u32 bytes, const void* site);

// Adds up the requests of a block that has ended.
void finish_meter(const block& b);

// Writes the totals, and the place with the most waste, to the report.
void report_meter(emulator_report& report);

}  // namespace emulator
