// Emulated target: the GPU form of the kernels, run by fibers on the CPU. Test only. Included by
// target.cuh only. Plain accesses are seen through -fsanitize=thread, everything else through the
// calls of emulator_abi.cuh.
#pragma once

#include "target/emulator_abi.cuh"
#include "target/kernel_entry.cuh"
#include "target/types.cuh"

#define ARIADNE_FUNCTION static inline
#define ARIADNE_INLINE static inline __attribute__((always_inline))
#define ARIADNE_MEMBER inline __attribute__((always_inline))
#define ARIADNE_KERNEL_TAKING(ARGS, NAME, BLOCK, ITEMS, SHARED_BYTES) \
  ARIADNE_KERNEL_FUNCTION(ARGS, NAME, BLOCK, ITEMS, SHARED_BYTES)

// Shared memory of the block; uninitialised. Never capture it in a lambda: pass it by reference.
#define ARIADNE_SHARED(TYPE, NAME)  \
  static const char NAME##_key = 0; \
  TYPE& NAME = *static_cast<TYPE*>(emulator_shared(&NAME##_key, sizeof(TYPE), alignof(TYPE)))
#define ARIADNE_SHARED_ARRAY(TYPE, NAME, COUNT) \
  static const char NAME##_key = 0;             \
  TYPE(&NAME)                                   \
  [COUNT] = *static_cast<TYPE(*)[COUNT]>(       \
      emulator_shared(&NAME##_key, sizeof(TYPE) * (COUNT), alignof(TYPE)))
#define ARIADNE_DYNAMIC_SHARED(TYPE, NAME) \
  TYPE* const NAME = static_cast<TYPE*>(emulator_dynamic_shared())

namespace target {

// Whether a long value function may use registers freely.
inline constexpr bool kHasManyRegisters = false;

ARIADNE_INLINE u32 thread_index() { return emulator_thread_index(); }
ARIADNE_INLINE u32 opaque(u32 value) { return value; }
ARIADNE_INLINE u32 block_index() { return emulator_block_index(); }
ARIADNE_INLINE u32 block_size() { return emulator_block_size(); }
ARIADNE_INLINE u32 grid_size() { return emulator_grid_size(); }
ARIADNE_INLINE u32 lane_index() { return thread_index() % kWarpSize; }
ARIADNE_INLINE u32 warp_index() { return thread_index() / kWarpSize; }

// Reached by every thread of the block, resp. of the warp; orders their memory accesses.
ARIADNE_INLINE void block_barrier() { emulator_block_barrier(); }
ARIADNE_INLINE void warp_barrier() { emulator_warp(emulator_collective::barrier, 0, 0); }

// Warp collectives: all 32 lanes take part. They do not order memory.
ARIADNE_INLINE u32 ballot(bool predicate) {
  return static_cast<u32>(emulator_warp(emulator_collective::ballot, predicate, 0));
}
ARIADNE_INLINE bool any(bool predicate) { return ballot(predicate) != 0; }
ARIADNE_INLINE bool all(bool predicate) { return ballot(predicate) == ~0u; }

template <typename T>
ARIADNE_INLINE T shuffle_value(emulator_collective kind, T value, u32 argument) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
  if constexpr (sizeof(T) == 4) {
    const u64 bits = emulator_warp(kind, __builtin_bit_cast(u32, value), argument);
    return __builtin_bit_cast(T, static_cast<u32>(bits));
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, emulator_warp(kind, __builtin_bit_cast(u64, value), argument));
  } else {
    u64x2 bits = __builtin_bit_cast(u64x2, value);
    bits.x = emulator_warp(kind, bits.x, argument);
    bits.y = emulator_warp(kind, bits.y, argument);
    return __builtin_bit_cast(T, bits);
  }
}

// Value of lane `lane`; of the lane `distance` below or above (own value at the edge); of the lane
// whose index differs by `mask`. T has 4, 8 or 16 bytes.
template <typename T>
ARIADNE_INLINE T shuffle(T value, u32 lane) {
  return shuffle_value(emulator_collective::shuffle_index, value, lane);
}
template <typename T>
ARIADNE_INLINE T shuffle_up(T value, u32 distance) {
  return shuffle_value(emulator_collective::shuffle_up, value, distance);
}
template <typename T>
ARIADNE_INLINE T shuffle_down(T value, u32 distance) {
  return shuffle_value(emulator_collective::shuffle_down, value, distance);
}
template <typename T>
ARIADNE_INLINE T shuffle_xor(T value, u32 mask) {
  return shuffle_value(emulator_collective::shuffle_xor, value, mask);
}

// Mask of the lanes whose value equals this lane's.
ARIADNE_INLINE u32 match_any(u32 value) {
  return static_cast<u32>(emulator_warp(emulator_collective::match_any, value, 0));
}
ARIADNE_INLINE u32 match_any(u64 value) {
  return static_cast<u32>(emulator_warp(emulator_collective::match_any, value, 0));
}

// In a loop that waits for another block.
ARIADNE_INLINE void spin_pause() { emulator_spin_pause(); }

template <typename T>
ARIADNE_INLINE T load_ro(const T* address) {
  emulator_check_read_only(address, sizeof(T));
  // One access, as on a GPU: the optimiser must not split it into the parts that are used.
  return *static_cast<const volatile T*>(address);
}

template <typename T>
ARIADNE_INLINE void store(T* address, T value) {
  emulator_check_alignment(address, sizeof(T));
  *address = value;
}

template <typename T>
inline constexpr bool is_atomic_type =
    __is_same(T, u32) || __is_same(T, i32) || __is_same(T, u64) || __is_same(T, i64);

template <order Order, typename T>
ARIADNE_INLINE T atomic_access(emulator_atomic kind, T* address, T value, T expected) {
  static_assert(is_atomic_type<T>);
  return static_cast<T>(emulator_atomic_access(kind, address, sizeof(T), static_cast<u64>(value),
                                               static_cast<u64>(expected), Order));
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_load(const T* address) {
  static_assert(Order == order::relaxed || Order == order::acquire);
  return atomic_access<Order>(emulator_atomic::load, const_cast<T*>(address), T{}, T{});
}

template <order Order, typename T>
ARIADNE_INLINE void atomic_store(T* address, T value) {
  static_assert(Order == order::relaxed || Order == order::release);
  atomic_access<Order>(emulator_atomic::store, address, value, T{});
}

// Each returns the value before the update.
template <order Order, typename T>
ARIADNE_INLINE T atomic_add(T* address, T value) {
  return atomic_access<Order>(emulator_atomic::add, address, value, T{});
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_min(T* address, T value) {
  constexpr bool is_signed = T(-1) < T(0);
  return atomic_access<Order>(
      is_signed ? emulator_atomic::min_signed : emulator_atomic::min_unsigned, address, value, T{});
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_max(T* address, T value) {
  constexpr bool is_signed = T(-1) < T(0);
  return atomic_access<Order>(
      is_signed ? emulator_atomic::max_signed : emulator_atomic::max_unsigned, address, value, T{});
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_and(T* address, T value) {
  return atomic_access<Order>(emulator_atomic::bit_and, address, value, T{});
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_or(T* address, T value) {
  return atomic_access<Order>(emulator_atomic::bit_or, address, value, T{});
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_exchange(T* address, T value) {
  return atomic_access<Order>(emulator_atomic::exchange, address, value, T{});
}

// Stores `desired` when the value equals `expected`; returns the value found.
template <order Order, typename T>
ARIADNE_INLINE T atomic_compare_exchange(T* address, T expected, T desired) {
  return atomic_access<Order>(emulator_atomic::compare_exchange, address, desired, expected);
}

ARIADNE_INLINE void fence() { emulator_fence(); }

}  // namespace target
