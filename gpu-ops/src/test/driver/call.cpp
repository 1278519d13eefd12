// What all entry points share: the lock, counting, injected failures, the current context.
#include "driver/driver.hpp"

extern "C" u64 pthread_self();

namespace driver {

constinit driver_state state = {};

namespace {

constexpr u32 kThreadSlots = 1 << 14;

struct thread_slot {
  u64 thread;  // 0: free
  bool current;
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

i32 injected(entry which) {
  const u32 i = static_cast<u32>(which);
  if (++state.calls[i] != state.failing_call[i]) {
    return success;
  }
  const i32 status = state.failing_status[i];
  if (is_sticky(status)) {
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
  if (state.contexts == 0 || !is_current()) {
    return invalid_context;
  }
  return state.sticky;
}

}  // namespace

bool is_current() { return slot_of_this_thread().current; }

void set_current(bool current) { slot_of_this_thread().current = current; }

call::call(entry which, needs what) {
  while (__atomic_exchange_n(&lock_held, true, __ATOMIC_ACQUIRE)) {
    sched_yield();
  }
  status_ = injected(which);
  if (status_ == success) {
    status_ = missing(what);
  }
}

call::~call() { __atomic_store_n(&lock_held, false, __ATOMIC_RELEASE); }

}  // namespace driver
