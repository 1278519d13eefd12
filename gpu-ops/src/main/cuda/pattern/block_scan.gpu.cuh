// Exclusive sum over the threads of a block.
#pragma once

#include "pattern/warp.gpu.cuh"
#include "target/target.cuh"

namespace pattern {

// Shared memory of one block_exclusive_sum; may be used again after the block's next barrier.
template <typename T>
struct block_sum_scratch {
  T warp_sums[kMaxBlockSize / target::kWarpSize];
  T total;
};

// Sum of the values of all threads with a smaller index; `total` gets the sum over the block. Every
// thread of the block calls it; it holds two barriers, the last before it returns.
template <typename T>
ARIADNE_FUNCTION T block_exclusive_sum(T value, block_sum_scratch<T>& scratch, T& total) {
  const u32 warps = target::block_size() / target::kWarpSize;
  const u32 lane = target::lane_index();
  const u32 warp = target::warp_index();
  const T inclusive = warp_inclusive_sum(value);
  if (lane == target::kWarpSize - 1) {
    scratch.warp_sums[warp] = inclusive;
  }
  target::block_barrier();
  if (warp == 0) {
    const T sum = lane < warps ? scratch.warp_sums[lane] : T{0};
    const T before = warp_inclusive_sum(sum) - sum;
    if (lane < warps) {
      scratch.warp_sums[lane] = before;
    }
    if (lane == warps - 1) {
      scratch.total = before + sum;
    }
  }
  target::block_barrier();
  total = scratch.total;
  return scratch.warp_sums[warp] + inclusive - value;
}

}  // namespace pattern
