// System calls of Linux on the processors of the host libraries. There is no C library: a call is
// one instruction, and an error is a negated error number, as the kernel returns it. Included by
// JNI sources only.
//
// Sources: Linux, arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h, and
// fcntl.h of both processors; numbers and flags never change.
#pragma once

#include "target/types.cuh"

namespace target {

inline constexpr i64 kIoUringSetup = 425;
inline constexpr i64 kIoUringEnter = 426;
inline constexpr i64 kOpenCloseOnExec = 0x80000;

#if defined(__x86_64__)

inline constexpr i64 kWrite = 1;
inline constexpr i64 kClose = 3;
inline constexpr i64 kMap = 9;
inline constexpr i64 kUnmap = 11;
inline constexpr i64 kPositionedRead = 17;
inline constexpr i64 kOpenAt = 257;
inline constexpr i64 kEventFile = 290;
inline constexpr i64 kPositionedReadWithFlags = 327;
inline constexpr i64 kExtendedStatus = 332;
inline constexpr i64 kOpenDirect = 0x4000;

// The kernel changes the result, rcx and r11 only.
static inline i64 system_call(i64 number, i64 a, i64 b, i64 c, i64 d, i64 e, i64 f) {
  i64 result;
  register i64 fourth asm("r10") = d;
  register i64 fifth asm("r8") = e;
  register i64 sixth asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
}

#elif defined(__aarch64__)

inline constexpr i64 kEventFile = 19;
inline constexpr i64 kOpenAt = 56;
inline constexpr i64 kClose = 57;
inline constexpr i64 kWrite = 64;
inline constexpr i64 kPositionedRead = 67;
inline constexpr i64 kUnmap = 215;
inline constexpr i64 kMap = 222;
inline constexpr i64 kPositionedReadWithFlags = 286;
inline constexpr i64 kExtendedStatus = 291;
inline constexpr i64 kOpenDirect = 0x10000;

// The kernel changes the result only.
static inline i64 system_call(i64 number, i64 a, i64 b, i64 c, i64 d, i64 e, i64 f) {
  register i64 name asm("x8") = number;
  register i64 first asm("x0") = a;
  register i64 second asm("x1") = b;
  register i64 third asm("x2") = c;
  register i64 fourth asm("x3") = d;
  register i64 fifth asm("x4") = e;
  register i64 sixth asm("x5") = f;
  asm volatile("svc #0"
               : "+r"(first)
               : "r"(name), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
               : "memory");
  return first;
}

#else
#error "no system calls for this processor"
#endif

template <typename T>
static inline i64 address_of(T* pointer) {
  return __builtin_bit_cast(i64, pointer);
}

}  // namespace target
