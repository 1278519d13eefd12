// The emulated GPU as its callers see it: options and report of a launch, and the exported calls.
//
// A launch runs the GPU form of one kernel on the calling thread: every GPU thread is a fiber, at
// least three blocks are resident (as many as the grid has, if fewer), and blocks, warps and lanes
// run in an order drawn from the seed. The first fault stops the launch and is described in the
// report. Launches of several host threads run one after the other.
#pragma once

#include "target/kernel_record.cuh"
#include "target/types.cuh"

// Parts of the checking that a launch can do without.
enum emulator_flag : u32 {
  emulator_no_race_check = 1,           // bounds are still checked
  emulator_no_meter = 2,                // no sector counts
  emulator_no_initialization_check = 4  // reads of unwritten shared memory are allowed
};

struct emulator_launch_options {
  u64 seed;            // equal seeds give equal runs
  u32 grid;            // blocks, at least 1
  u32 block;           // threads per block, a multiple of 32
  u32 dynamic_shared;  // bytes
  u32 yield_ppm;       // chance, per million, that a thread is interrupted at an atomic access
  u32 flags;           // emulator_flag bits
  u32 reserved;
};

inline constexpr u32 kEmulatorErrorBytes = 512;

struct emulator_report {
  u64 failed;  // 0 = clean
  u64 seed;
  u64 threads;              // GPU threads launched
  u64 accesses;             // plain accesses and read-modify-writes of all threads
  u64 max_thread_accesses;  // the largest share of one thread
  u64 atomics;
  u64 switches;      // fiber switches
  u64 sectors;       // 32-byte sectors moved, summed over the warps' global requests
  u64 bytes_needed;  // distinct bytes asked for, summed over the same requests
  u64 worst_site;    // offset in the library of the request site with the most waste
  u64 worst_site_sectors;
  u64 worst_site_bytes;
  char error[kEmulatorErrorBytes];  // NUL-terminated; empty when clean
};

#define ARIADNE_EXPORT __attribute__((visibility("default")))

extern "C" {

// Declares memory that kernels may touch: 4-byte aligned, not overlapping another region.
ARIADNE_EXPORT void ariadne_emulator_add_region(void* base, u64 bytes);
ARIADNE_EXPORT void ariadne_emulator_remove_region(void* base);

// Runs the kernel; returns 0 when clean. `args` is only read.
ARIADNE_EXPORT int ariadne_emulator_launch(void (*entry)(const void*), const void* args,
                                           const emulator_launch_options* options);

// Report of the calling process's last launch.
ARIADNE_EXPORT emulator_report* ariadne_emulator_report();
}
