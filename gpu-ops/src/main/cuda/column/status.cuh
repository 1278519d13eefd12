// The status block of a launch: errors, demand and results that Java reads after the launch.
#pragma once

#include "target/target.cuh"

// Zeroed by the caller before the launch, 64-byte aligned. Several launches may share one block:
// the error word only ever grows.
struct alignas(64) kernel_status {
  u64 error;     // 0, or the complement of the smallest error key: see error_key
  u64 needed;    // units that did not fit (bytes, groups, ...): the caller grows and runs again
  u64 rows_out;  // rows written
  u32 cancel;    // set by the caller: host kernels stop at the next tile
  u32 reserved;
  u64 detail[4];  // meaning given by the kernel
};

namespace status {

// Row inside the batch (absolute, below 2^31), expression number (below 2^16) and code (below 2^8,
// not 0) of one error. The smallest key wins, so every back end reports the same row.
ARIADNE_INLINE u64 error_key(u64 row, u32 expression, u32 code) {
  return row << 24 | static_cast<u64>(expression & 0xffff) << 8 | (code & 0xff);
}

ARIADNE_INLINE void raise(kernel_status* status, u64 row, u32 expression, u32 code) {
  const u64 word = ~error_key(row, expression, code);
  target::atomic_max<target::order::relaxed>(&status->error, word);
}

// Demand of one launch: the largest one reported is kept.
ARIADNE_INLINE void need(kernel_status* status, u64 units) {
  target::atomic_max<target::order::relaxed>(&status->needed, units);
}

ARIADNE_INLINE bool cancelled(const kernel_status* status) {
  return target::atomic_load<target::order::relaxed>(&status->cancel) != 0;
}

}  // namespace status
