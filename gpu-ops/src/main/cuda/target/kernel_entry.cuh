// Kernel entry for targets that call a kernel as a function of a pointer to its arguments.
#pragma once

#include "target/kernel_record.cuh"

// Checks shared by all targets: the status word is where Java and the runtime expect it.
#define ARIADNE_KERNEL_CHECKS(ARGS, BLOCK)                                        \
  static_assert(__builtin_offsetof(ARGS, status) == 0, "status comes first");     \
  static_assert(sizeof(ARGS) <= kMaxArgumentBytes, "arguments exceed the limit"); \
  static_assert((BLOCK) % 32 == 0 && (BLOCK) >= 32 && (BLOCK) <= kMaxBlockSize);

// A kernel whose arguments are NAME_args, which is nearly every one.
#define ARIADNE_KERNEL(NAME, BLOCK, ITEMS, SHARED_BYTES) \
  ARIADNE_KERNEL_TAKING(NAME##_args, NAME, BLOCK, ITEMS, SHARED_BYTES)

// Defines `void NAME(const void* args)`, its record, and opens the body, which sees `args`.
#define ARIADNE_KERNEL_FUNCTION(ARGS, NAME, BLOCK, ITEMS, SHARED_BYTES)                    \
  ARIADNE_KERNEL_CHECKS(ARGS, BLOCK)                                                       \
  static void NAME##_body(const ARGS& args);                                               \
  extern "C" void NAME(const void* args) { NAME##_body(*static_cast<const ARGS*>(args)); } \
  __attribute__((section("ariadne_kernels"), used,                                         \
                 retain)) static const kernel_record NAME##_record{                        \
      #NAME, NAME, BLOCK, ITEMS, SHARED_BYTES, sizeof(ARGS), #ARGS, {}};                   \
  static void NAME##_body(const ARGS& args)
