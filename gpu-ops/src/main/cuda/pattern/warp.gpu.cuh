// Reductions and scans of one warp. All 32 lanes take part; every lane gets its result.
#pragma once

#include "target/target.cuh"

namespace pattern {

// Sum over the warp, the same in every lane. Wraps.
template <typename T>
ARIADNE_INLINE T warp_sum(T value) {
#pragma unroll
  for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
    value += target::shuffle_xor(value, distance);
  }
  return value;
}

// Largest value of the warp, the same in every lane.
template <typename T>
ARIADNE_INLINE T warp_max(T value) {
#pragma unroll
  for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
    const T other = target::shuffle_xor(value, distance);
    value = other > value ? other : value;
  }
  return value;
}

// Sum of this lane's value and those of all lower lanes. Wraps.
template <typename T>
ARIADNE_INLINE T warp_inclusive_sum(T value) {
  const u32 lane = target::lane_index();
#pragma unroll
  for (u32 distance = 1; distance < target::kWarpSize; distance *= 2) {
    const T below = target::shuffle_up(value, distance);
    value += lane >= distance ? below : T{0};
  }
  return value;
}

}  // namespace pattern
