// Litmus kernels: small programs that only a machine with weak memory can fail. Each checks itself.
//
// All take the same arguments, so one driver can run them. Any grid, block of up to 256 threads.
// Status: detail[0] = violations, to be 0; detail[1] = checks made, to be `rows`;
// detail[2] = groups made (insert-then-probe only).
#pragma once

#include "column/status.cuh"
#include "target/target.cuh"

// `memory` is zeroed, 64-byte aligned, and has at least 4096 + 64 * rows bytes.
#define ARIADNE_LITMUS_ARGUMENTS(NAME) \
  struct NAME##_args {                 \
    kernel_status* status;             \
    u8* memory;                        \
    u32 rows;                          \
    u32 reserved;                      \
  }

namespace litmus {

ARIADNE_INLINE void record(kernel_status* status, bool is_right) {
  target::atomic_add<target::order::relaxed>(&status->detail[1], u64{1});
  if (!is_right) {
    target::atomic_add<target::order::relaxed>(&status->detail[0], u64{1});
  }
}

}  // namespace litmus

#include ARIADNE_TARGET_FILE(litmus, litmus)
