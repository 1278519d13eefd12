// The few system calls of the emulator, declared here because there are no libc headers.
#pragma once

#include "target/types.cuh"

extern "C" {
void* mmap(void* address, usize bytes, int protection, int flags, int file, long offset);
int munmap(void* address, usize bytes);
int mprotect(void* address, usize bytes, int protection);
int sched_yield();
[[noreturn]] void abort();
void* memset(void* to, int value, usize bytes);
void* memcpy(void* to, const void* from, usize bytes);
void* memmove(void* to, const void* from, usize bytes);
}

namespace emulator {

inline constexpr int kReadWrite = 3;              // PROT_READ | PROT_WRITE
inline constexpr int kPrivateLazyPages = 0x4022;  // MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE

// Zeroed pages, given by the system as they are touched.
inline void* map_pages(usize bytes) {
  void* pages = mmap(nullptr, bytes, kReadWrite, kPrivateLazyPages, -1, 0);
  if (pages == reinterpret_cast<void*>(-1)) {
    abort();
  }
  return pages;
}

template <typename T>
T* map_array(usize count) {
  return static_cast<T*>(map_pages(count * sizeof(T)));
}

}  // namespace emulator
