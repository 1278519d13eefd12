// CUDA target (PTX through clang). Included by target.cuh only.
//
// LLVM's PTX back end drops the ordering of __atomic_* silently, so only relaxed read-modify-writes
// go through them; acquire, release and fences are inline PTX at gpu scope. Loads and stores are
// inline PTX too, as __atomic_load_n would use system scope.
#pragma once

#include "target/kernel_entry.cuh"
#include "target/types.cuh"

#define ARIADNE_DEVICE __attribute__((device))
#define ARIADNE_FUNCTION ARIADNE_DEVICE static inline
#define ARIADNE_INLINE ARIADNE_DEVICE static inline __attribute__((always_inline))
#define ARIADNE_MEMBER ARIADNE_DEVICE inline __attribute__((always_inline))
// The second launch bound is the register budget: a quarter of a multiprocessor's per block. The
// comment in the PTX tells the build how many rows a thread handles at a time.
#define ARIADNE_KERNEL_TAKING(ARGS, NAME, BLOCK, ITEMS, SHARED_BYTES) \
  ARIADNE_KERNEL_CHECKS(ARGS, BLOCK)                                  \
  ARIADNE_INLINE void NAME##_body(const ARGS& args);                  \
  extern "C" __attribute__((global))                                  \
  __attribute__((launch_bounds(BLOCK, (BLOCK) <= 512 ? 4 : 1))) void  \
  NAME(const __attribute__((grid_constant)) ARGS args) {              \
    asm volatile("// items %0" ::"n"(ITEMS));                         \
    NAME##_body(args);                                                \
  }                                                                   \
  ARIADNE_INLINE void NAME##_body(const ARGS& args)

// Shared memory of the block; uninitialised. Never capture it in a lambda: pass it by reference.
#define ARIADNE_SHARED(TYPE, NAME) __attribute__((shared)) static TYPE NAME
#define ARIADNE_SHARED_ARRAY(TYPE, NAME, COUNT) __attribute__((shared)) static TYPE NAME[COUNT]
#define ARIADNE_DYNAMIC_SHARED(TYPE, NAME) \
  TYPE* const NAME = reinterpret_cast<TYPE*>(ariadne_dynamic_shared)

extern "C" __attribute__((shared)) u64x2 ariadne_dynamic_shared[];

namespace target {

// Whether a long value function may use registers freely.
inline constexpr bool kHasManyRegisters = false;

ARIADNE_INLINE u32 thread_index() { return __nvvm_read_ptx_sreg_tid_x(); }
// The value, of which the compiler may not know anything: what depends on it is computed again.
ARIADNE_INLINE u32 opaque(u32 value) {
  asm volatile("" : "+r"(value));
  return value;
}
ARIADNE_INLINE u32 block_index() { return __nvvm_read_ptx_sreg_ctaid_x(); }
ARIADNE_INLINE u32 block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
ARIADNE_INLINE u32 grid_size() { return __nvvm_read_ptx_sreg_nctaid_x(); }
ARIADNE_INLINE u32 lane_index() { return thread_index() % kWarpSize; }
ARIADNE_INLINE u32 warp_index() { return thread_index() / kWarpSize; }

// Reached by every thread of the block, resp. of the warp; orders their memory accesses.
ARIADNE_INLINE void block_barrier() { __nvvm_bar_sync(0); }
ARIADNE_INLINE void warp_barrier() { __nvvm_bar_warp_sync(~0u); }

// Warp collectives: all 32 lanes take part. They do not order memory.
ARIADNE_INLINE u32 ballot(bool predicate) { return __nvvm_vote_ballot_sync(~0u, predicate); }
ARIADNE_INLINE bool any(bool predicate) { return __nvvm_vote_any_sync(~0u, predicate); }
ARIADNE_INLINE bool all(bool predicate) { return __nvvm_vote_all_sync(~0u, predicate); }

enum class shuffle_kind { index, up, down, exclusive_or };

template <shuffle_kind Kind>
ARIADNE_INLINE u32 shuffle_word(u32 value, u32 argument) {
  const int v = static_cast<int>(value);
  const int a = static_cast<int>(argument);
  int result;
  if constexpr (Kind == shuffle_kind::index) {
    result = __nvvm_shfl_sync_idx_i32(~0u, v, a, 31);
  } else if constexpr (Kind == shuffle_kind::up) {
    result = __nvvm_shfl_sync_up_i32(~0u, v, a, 0);
  } else if constexpr (Kind == shuffle_kind::down) {
    result = __nvvm_shfl_sync_down_i32(~0u, v, a, 31);
  } else {
    result = __nvvm_shfl_sync_bfly_i32(~0u, v, a, 31);
  }
  return static_cast<u32>(result);
}

template <shuffle_kind Kind, typename T>
ARIADNE_INLINE T shuffle_value(T value, u32 argument) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
  struct words {
    u32 word[sizeof(T) / 4];
  };
  words parts = __builtin_bit_cast(words, value);
#pragma unroll
  for (u32 i = 0; i < sizeof(T) / 4; i++) {
    parts.word[i] = shuffle_word<Kind>(parts.word[i], argument);
  }
  return __builtin_bit_cast(T, parts);
}

// Value of lane `lane`; of the lane `distance` below or above (own value at the edge); of the lane
// whose index differs by `mask`. T has 4, 8 or 16 bytes.
template <typename T>
ARIADNE_INLINE T shuffle(T value, u32 lane) {
  return shuffle_value<shuffle_kind::index>(value, lane);
}
template <typename T>
ARIADNE_INLINE T shuffle_up(T value, u32 distance) {
  return shuffle_value<shuffle_kind::up>(value, distance);
}
template <typename T>
ARIADNE_INLINE T shuffle_down(T value, u32 distance) {
  return shuffle_value<shuffle_kind::down>(value, distance);
}
template <typename T>
ARIADNE_INLINE T shuffle_xor(T value, u32 mask) {
  return shuffle_value<shuffle_kind::exclusive_or>(value, mask);
}

// Mask of the lanes whose value equals this lane's.
ARIADNE_INLINE u32 match_any(u32 value) { return __nvvm_match_any_sync_i32(~0u, value); }
ARIADNE_INLINE u32 match_any(u64 value) {
  return __nvvm_match_any_sync_i64(~0u, static_cast<i64>(value));
}

// In a loop that waits for another block.
ARIADNE_INLINE void spin_pause() { asm volatile("nanosleep.u32 20;"); }

// Memory that no one writes while the kernel runs: goes through the non-coherent path.
template <typename T>
ARIADNE_INLINE T load_ro(const T* address) {
  if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(T, __nvvm_ldg_uc(reinterpret_cast<const u8*>(address)));
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, __nvvm_ldg_us(reinterpret_cast<const u16*>(address)));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, __nvvm_ldg_ui(reinterpret_cast<const u32*>(address)));
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, __nvvm_ldg_ull(reinterpret_cast<const u64*>(address)));
  } else {
    static_assert(sizeof(T) == 16);
    return __builtin_bit_cast(T, __nvvm_ldg_ull2(reinterpret_cast<const u64x2*>(address)));
  }
}

template <usize Bytes>
struct cell;
template <>
struct cell<1> {
  using type = u8;
};
template <>
struct cell<2> {
  using type = u16;
};
template <>
struct cell<4> {
  using type = u32;
};
template <>
struct cell<8> {
  using type = u64;
};
template <>
struct cell<16> {
  using type = u64x2;
};

// Store to global memory, whatever the pointer's origin.
template <typename T>
ARIADNE_INLINE void store(T* address, T value) {
  using bits = typename cell<sizeof(T)>::type;
  using global_bits = __attribute__((address_space(1))) bits;
  *(global_bits*)address = __builtin_bit_cast(bits, value);
}

}  // namespace target

#include "target/cuda_atomics.cuh"
