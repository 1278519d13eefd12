// What an emulated kernel calls: implemented by src/test/cuda/emulator. The functions are
// convergent, so the compiler neither duplicates nor sinks them, and the return address names the
// place in the source.
#pragma once

#include "target/types.cuh"

enum class emulator_collective : u32 {
  barrier,
  ballot,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  match_any
};

enum class emulator_atomic : u32 {
  load,
  store,
  add,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  bit_and,
  bit_or,
  exchange,
  compare_exchange
};

extern "C" {

// Where the running thread stands in its launch; never changes for a thread.
__attribute__((const)) u32 emulator_thread_index();
__attribute__((const)) u32 emulator_block_index();
__attribute__((const)) u32 emulator_block_size();
__attribute__((const)) u32 emulator_grid_size();

// Waits for all threads of the block.
__attribute__((convergent)) void emulator_block_barrier();

// Waits for all 32 lanes of the warp; `value` has up to 8 bytes.
__attribute__((convergent)) u64 emulator_warp(emulator_collective kind, u64 value, u32 argument);

// Shared memory of the running block for one declaration, named by the address of its key.
void* emulator_shared(const void* key, usize bytes, usize alignment);
void* emulator_dynamic_shared();

// Atomic access of 4 or 8 bytes; returns the value before it.
u64 emulator_atomic_access(emulator_atomic kind, void* address, u32 bytes, u64 value, u64 expected,
                           target::order order);
void emulator_fence();

// Stops the launch when the address is not a multiple of the size: a GPU would fault.
void emulator_check_alignment(const void* address, u32 bytes);

// The same, and when this launch has written there: a GPU may answer from a stale cache.
void emulator_check_read_only(const void* address, u32 bytes);

// Lets the other threads run.
void emulator_spin_pause();
}
