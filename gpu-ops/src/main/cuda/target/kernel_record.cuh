// The record that every kernel leaves in the linker section "ariadne_kernels" of the host and the
// emulated library. Java reads the table once and launches by index; nothing is looked up by name
// at run time. The cuda target has the same kernels under the same names in its PTX.
#pragma once

#include "target/types.cuh"

// Launch limits that hold for every target; the second is the argument space of sm_70 and later.
inline constexpr u32 kMaxBlockSize = 1024;
inline constexpr u32 kMaxArgumentBytes = 4352;

struct alignas(64) kernel_record {
  const char* name;
  void (*entry)(const void* args);
  u32 block;           // threads per block on the GPU, a multiple of 32
  u32 items;           // rows one thread handles per tile
  u32 dynamic_shared;  // bytes of dynamic shared memory at `block` threads
  u32 args_size;       // sizeof(NAME_args)
  const char* args_name;
  u64 reserved[3];
};
static_assert(sizeof(kernel_record) == 64, "the linker section is an array of these");
