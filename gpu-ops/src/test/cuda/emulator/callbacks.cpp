// What the compiler calls in kernels built with -fsanitize=thread: one function per plain access.
// An atomic that reaches these callbacks did not go through target:: and would lose its memory
// order in PTX, so it is an error.
#include "emulator/memory.hpp"
#include "emulator/system.hpp"

using namespace emulator;

namespace {

void aligned_access(const void* address, u32 bytes, bool is_write, const void* site) {
  // The compiler uses this callback for 16-byte accesses that are aligned to 8 only.
  const u32 alignment = bytes < 8 ? bytes : 8;
  if (reinterpret_cast<u64>(address) % alignment != 0) {
    stop("misaligned: access", site, address);
  }
  check_access(address, bytes, is_write, site);
}

void range_access(const void* address, usize bytes, bool is_write, const void* site) {
  const u8* at = static_cast<const u8*>(address);
  while (bytes > 0) {
    const u64 to_boundary = 8 - reinterpret_cast<u64>(at) % 8;
    const u32 step = static_cast<u32>(bytes < to_boundary ? bytes : to_boundary);
    check_access(at, step, is_write, site);
    at += step;
    bytes -= step;
  }
}

}  // namespace

#define SITE __builtin_return_address(0)

#define ACCESS_CALLBACKS(BYTES)                                                             \
  void __tsan_read##BYTES(const void* p) { aligned_access(p, BYTES, false, SITE); }         \
  void __tsan_write##BYTES(const void* p) { aligned_access(p, BYTES, true, SITE); }         \
  void __tsan_unaligned_read##BYTES(const void* p) { check_access(p, BYTES, false, SITE); } \
  void __tsan_unaligned_write##BYTES(const void* p) { check_access(p, BYTES, true, SITE); }

#define ATOMIC_CALLBACK(NAME) \
  u64 NAME() { stop("atomic outside target::", SITE); }

#define ATOMIC_CALLBACKS(BITS)                      \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_load)       \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_store)      \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_exchange)   \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_fetch_add)  \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_fetch_sub)  \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_fetch_and)  \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_fetch_or)   \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_fetch_xor)  \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_fetch_nand) \
  ATOMIC_CALLBACK(__tsan_atomic##BITS##_compare_exchange_val)

extern "C" {

ACCESS_CALLBACKS(1)
ACCESS_CALLBACKS(2)
ACCESS_CALLBACKS(4)
ACCESS_CALLBACKS(8)
ACCESS_CALLBACKS(16)

ATOMIC_CALLBACKS(8)
ATOMIC_CALLBACKS(16)
ATOMIC_CALLBACKS(32)
ATOMIC_CALLBACKS(64)
ATOMIC_CALLBACKS(128)
ATOMIC_CALLBACK(__tsan_atomic_thread_fence)

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

void* __tsan_memset(void* to, int value, usize bytes) {
  range_access(to, bytes, true, SITE);
  return memset(to, value, bytes);
}

void* __tsan_memcpy(void* to, const void* from, usize bytes) {
  range_access(from, bytes, false, SITE);
  range_access(to, bytes, true, SITE);
  return memcpy(to, from, bytes);
}

void* __tsan_memmove(void* to, const void* from, usize bytes) {
  range_access(from, bytes, false, SITE);
  range_access(to, bytes, true, SITE);
  return memmove(to, from, bytes);
}

void emulator_check_alignment(const void* address, u32 bytes) {
  if (reinterpret_cast<u64>(address) % bytes != 0) {
    stop("misaligned: access", SITE, address);
  }
}

void emulator_check_read_only(const void* address, u32 bytes) {
  if (reinterpret_cast<u64>(address) % bytes != 0) {
    stop("misaligned: access", SITE, address);
  }
  check_unwritten(address, bytes, SITE);
}
}
