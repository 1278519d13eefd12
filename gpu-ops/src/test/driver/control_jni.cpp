// What tests set and see of the fake driver, without jni.h; the class is
// io.ariadne.backend.cuda.FakeDriver.
#define JNI_CLASS io_ariadne_backend_cuda_FakeDriver
#include "driver/driver.hpp"
#include "target/jni_function.cuh"

using namespace driver;

namespace {

constexpr i32 kUnknown = -1;

const char* const kNames[] = {
#define ENTRY(NAME) #NAME,
#include "driver/entries.def"
#undef ENTRY
};

bool same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

}  // namespace

// Ends the context, forgets counts, failures and faults, and sets what the device is.
JNI_FUNCTION(void, reset)
(jni_environment, jni_class, i64 memory_bytes, i32 device_count, i32 driver_version, i32 capability,
 i64 seed) {
  release_contexts();
  state = {};
  state.options = {static_cast<u64>(memory_bytes), device_count, driver_version, capability};
  state.random = static_cast<u64>(seed) * 2 + 1;
}

// Number of the entry point whose NUL-terminated name is at the address, or -1.
JNI_FUNCTION(i32, entryPoint)(jni_environment, jni_class, i64 name) {
  for (u32 i = 0; i < static_cast<u32>(entry::count); i++) {
    if (same(kNames[i], __builtin_bit_cast(const char*, name))) {
      return static_cast<i32>(i);
    }
  }
  return kUnknown;
}

JNI_FUNCTION(i64, calls)(jni_environment, jni_class, i32 entry_point) {
  return static_cast<i64>(state.calls[entry_point]);
}

// Copies between host and device since the reset.
JNI_FUNCTION(i64, copies)(jni_environment, jni_class, u8 is_to_host, u8 is_pinned) {
  return static_cast<i64>(state.copies[copy_index(is_to_host != 0, is_pinned != 0)].copies);
}

// The bytes of these.
JNI_FUNCTION(i64, copiedBytes)(jni_environment, jni_class, u8 is_to_host, u8 is_pinned) {
  return static_cast<i64>(state.copies[copy_index(is_to_host != 0, is_pinned != 0)].bytes);
}

// Lets the call-th later call return the status without doing anything.
JNI_FUNCTION(void, fail)(jni_environment, jni_class, i32 entry_point, i64 call, i32 status) {
  state.failing_call[entry_point] = state.calls[entry_point] + static_cast<u64>(call);
  state.failing_status[entry_point] = status;
}

// Lets the call-th of the next calls stand still, before it does anything, until `resume`.
JNI_FUNCTION(void, stall)(jni_environment, jni_class, i32 entry_point, i64 call) {
  state.stalling_call[entry_point] = state.calls[entry_point] + static_cast<u64>(call);
}

// Whether a call stands still.
JNI_FUNCTION(bool, isStalled)(jni_environment, jni_class) {
  return __atomic_load_n(&state.is_stalled, __ATOMIC_ACQUIRE);
}

// Lets the call that stands still go on.
JNI_FUNCTION(void, resume)(jni_environment, jni_class) {
  __atomic_store_n(&state.is_stalled, false, __ATOMIC_RELEASE);
}

// Lets the device do what is queued, though no call waits for it. No call may be under way.
JNI_FUNCTION(void, runQueued)(jni_environment, jni_class) { run_all(waiter::nobody); }

// Lets other processes have bytes of a device's memory.
JNI_FUNCTION(void, useElsewhere)(jni_environment, jni_class, i32 device, i64 bytes) {
  state.used_by_others[device] = static_cast<u64>(bytes);
}

// Refuses requests for more page-locked memory than this until the reset.
JNI_FUNCTION(void, refusePinnedAbove)(jni_environment, jni_class, i64 bytes) {
  state.largest_pinned = static_cast<u64>(bytes);
}

// Calls of all entry points since the reset.
JNI_FUNCTION(i64, allCalls)(jni_environment, jni_class) {
  u64 count = 0;
  for (const u64 calls : state.calls) {
    count += calls;
  }
  return static_cast<i64>(count);
}

JNI_FUNCTION(i64, deviceBytes)(jni_environment, jni_class) {
  return static_cast<i64>(used_device_bytes());
}

// Allocations, streams, events, modules and contexts that are alive.
JNI_FUNCTION(i64, openObjects)(jni_environment, jni_class) {
  return static_cast<i64>(open_device_allocations() + open_pinned_allocations() + open_streams() +
                          open_events() + open_modules()) +
         retained_contexts();
}

// Objects that were alive when the last context was released.
JNI_FUNCTION(i64, leakedObjects)(jni_environment, jni_class) {
  return static_cast<i64>(state.leaked);
}

// Copies to the host that were still queued when no call waited for them any more; those to
// pageable memory are not made.
JNI_FUNCTION(i64, lateCopies)(jni_environment, jni_class) {
  return static_cast<i64>(state.late_copies);
}
