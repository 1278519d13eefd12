// What tests set and see of the fake libcufile, without jni.h; the class is
// io.ariadne.io.gds.FakeCuFile.
#define JNI_CLASS io_ariadne_io_gds_FakeCuFile
#include "storage/storage.hpp"
#include "target/jni_function.cuh"

using namespace storage;

namespace {

const char* const kNames[] = {
#define ENTRY(NAME) #NAME,
#include "storage/entries.def"
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

// Forgets everything and sets all options to what they are at first.
JNI_FUNCTION(void, reset)(jni_environment, jni_class) { state = {}; }

// Number of the entry point whose NUL-terminated name is at the address, or -1.
JNI_FUNCTION(i32, entryPoint)(jni_environment, jni_class, i64 name) {
  for (u32 i = 0; i < kEntries; i++) {
    if (same(kNames[i], __builtin_bit_cast(const char*, name))) {
      return static_cast<i32>(i);
    }
  }
  return -1;
}

JNI_FUNCTION(i64, calls)(jni_environment, jni_class, i32 entry_point) {
  return static_cast<i64>(state.calls[entry_point]);
}

// Lets the call-th later call return the status without doing anything.
JNI_FUNCTION(void, fail)(jni_environment, jni_class, i32 entry_point, i64 call, i32 status) {
  state.failing_call[entry_point] = state.calls[entry_point] + static_cast<u64>(call);
  state.failing_status[entry_point] = status;
}

JNI_FUNCTION(void, set)(jni_environment, jni_class, i32 option, i64 value) {
  reinterpret_cast<i64*>(&state.options)[option] = value;
}

// Ends batches that are open, without reads, as the end of a process does.
JNI_FUNCTION(void, endBatches)(jni_environment, jni_class) { end_batches(); }

// Files, buffers, streams, batches, and the driver, as far as they are open.
JNI_FUNCTION(i64, openObjects)(jni_environment, jni_class) {
  u64 count = state.open_batches + (state.open ? 1 : 0);
  for (const handle& h : state.handles) {
    count += h.live;
  }
  for (const buffer& b : state.buffers) {
    count += b.live;
  }
  for (const void* s : state.streams) {
    count += s != nullptr;
  }
  return static_cast<i64>(count);
}

JNI_FUNCTION(i64, openHandles)(jni_environment, jni_class) {
  u64 count = 0;
  for (const handle& h : state.handles) {
    count += h.live;
  }
  return static_cast<i64>(count);
}

JNI_FUNCTION(i64, driverOpens)(jni_environment, jni_class) {
  return static_cast<i64>(state.opens);
}

JNI_FUNCTION(i64, unalignedReads)(jni_environment, jni_class) {
  return static_cast<i64>(state.unaligned);
}

JNI_FUNCTION(i64, registeredReads)(jni_environment, jni_class) {
  return static_cast<i64>(state.registered_reads);
}

JNI_FUNCTION(i64, unregisteredReads)(jni_environment, jni_class) {
  return static_cast<i64>(state.unregistered);
}

// What callers have done wrong.
JNI_FUNCTION(i64, faults)(jni_environment, jni_class) { return static_cast<i64>(state.faults); }

// Address of the NUL-terminated words of the last fault.
JNI_FUNCTION(i64, faultAddress)(jni_environment, jni_class) {
  return __builtin_bit_cast(i64, &state.fault[0]);
}
