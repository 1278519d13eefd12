// The target layer: the only place where the three targets differ by #if. Everything else includes
// this file and speaks of target::..., ARIADNE_FUNCTION, ARIADNE_KERNEL, ARIADNE_SHARED.
//
// All targets offer
//   ARIADNE_FUNCTION, ARIADNE_INLINE         function specifiers
//   ARIADNE_KERNEL(NAME, block, items, dynamic_shared_bytes) { ... args ... }
//   target::load_ro, store                   global memory; 1, 2, 4, 8 or 16 bytes, aligned
//   target::atomic_*, fence                  u32, i32, u64, i64, order written out
// The GPU form (cuda and emulated) adds
//   ARIADNE_SHARED, ARIADNE_SHARED_ARRAY, ARIADNE_DYNAMIC_SHARED
//   target::thread_index, block_index, block_size, grid_size, lane_index, warp_index
//   target::block_barrier, warp_barrier, ballot, any, all, shuffle*, match_any, spin_pause
// The host form has one thread per call and none of these, so GPU code does not compile there.
//
// A file with two algorithms is split in x.host.cuh and x.gpu.cuh behind x.cuh, which says
//   #include ARIADNE_TARGET_FILE(pattern, x)
#pragma once

#include "target/kernel_record.cuh"
#include "target/types.cuh"

// clang-format off
#define ARIADNE_QUOTE(text) #text
#define ARIADNE_HOST_FILE(folder, name) ARIADNE_QUOTE(folder/name.host.cuh)
#define ARIADNE_GPU_FILE(folder, name) ARIADNE_QUOTE(folder/name.gpu.cuh)
// clang-format on

#if defined(ARIADNE_TARGET_HOST)
#define ARIADNE_TARGET_FILE ARIADNE_HOST_FILE
#include "target/host.cuh"
#elif defined(ARIADNE_TARGET_CUDA)
#define ARIADNE_TARGET_FILE ARIADNE_GPU_FILE
#include "target/cuda.cuh"
#elif defined(ARIADNE_TARGET_EMULATED)
#define ARIADNE_TARGET_FILE ARIADNE_GPU_FILE
#include "target/emulated.cuh"
#else
#error "define ARIADNE_TARGET_HOST, ARIADNE_TARGET_CUDA or ARIADNE_TARGET_EMULATED"
#endif
