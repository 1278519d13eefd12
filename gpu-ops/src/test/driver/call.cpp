// What all entry points share: the lock, counting, injected failures, the current context.
#include "driver/driver.hpp"

extern "C" u64 pthread_self();

namespace driver {

constinit driver_state state = {};

namespace {

constexpr u32 kThreadSlots = 1 << 14;

struct thread_slot {
  u64 thread;        // 0: free
  i32 current_next;  // the device of the current context, plus 1; 0 for none
};

bool lock_held;
thread_slot threads[kThreadSlots];

thread_slot& slot_of_this_thread() {
  const u64 self = pthread_self();
  for (u32 i = 0; i < kThreadSlots; i++) {
    thread_slot& slot = threads[((self >> 8) + i) % kThreadSlots];
    if (slot.thread == self || slot.thread == 0) {
      slot.thread = self;
      return slot;
    }
  }
  abort();
}

void acquire() {
  while (__atomic_exchange_n(&lock_held, true, __ATOMIC_ACQUIRE)) {
    sched_yield();
  }
}

void release() { __atomic_store_n(&lock_held, false, __ATOMIC_RELEASE); }

// Stands still, without the lock, if the test wants that of this call.
void stall(entry which) {
  const u32 i = static_cast<u32>(which);
  if (state.calls[i] != state.stalling_call[i]) {
    return;
  }
  __atomic_store_n(&state.is_stalled, true, __ATOMIC_RELEASE);
  release();
  while (__atomic_load_n(&state.is_stalled, __ATOMIC_ACQUIRE)) {
    sched_yield();
  }
  acquire();
}

// Whether a call queues work or waits for it. An unknown error of others is theirs alone.
bool is_of_work(entry which) {
  switch (which) {
    case entry::cuLaunchKernel:
    case entry::cuMemsetD8Async:
    case entry::cuMemcpyDtoDAsync_v2:
    case entry::cuStreamSynchronize:
    case entry::cuCtxSynchronize:
    case entry::cuEventRecord:
    case entry::cuEventSynchronize:
      return true;
    default:
      return false;
  }
}

i32 injected(entry which) {
  const u32 i = static_cast<u32>(which);
  if (++state.calls[i] != state.failing_call[i]) {
    return success;
  }
  const i32 status = state.failing_status[i];
  if (is_sticky(status) && (status != unknown || is_of_work(which))) {
    state.sticky = status;
  }
  return status;
}

i32 missing(call::needs what) {
  if (what == call::needs::nothing) {
    return success;
  }
  if (!state.initialized) {
    return not_initialized;
  }
  if (what == call::needs::device) {
    return success;
  }
  const i32 device = current_device();
  if (device == kNoDevice || state.contexts[device] == 0) {
    return invalid_context;
  }
  return state.sticky;
}

}  // namespace

i32 current_device() { return slot_of_this_thread().current_next - 1; }

void set_current_device(i32 device) { slot_of_this_thread().current_next = device + 1; }

i32 retained_contexts() {
  i32 count = 0;
  for (const i32 retained : state.contexts) {
    count += retained;
  }
  return count;
}

call::call(entry which, needs what) {
  acquire();
  status_ = injected(which);
  stall(which);
  if (status_ == success) {
    status_ = missing(what);
  }
}

call::~call() { release(); }

}  // namespace driver
