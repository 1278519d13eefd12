// Host target: one thread per call, vectorised by the compiler. Included by target.cuh only.
#pragma once

#include "target/kernel_entry.cuh"
#include "target/types.cuh"

#define ARIADNE_FUNCTION static inline
#define ARIADNE_INLINE static inline __attribute__((always_inline))
#define ARIADNE_MEMBER inline __attribute__((always_inline))
#define ARIADNE_KERNEL_TAKING(ARGS, NAME, BLOCK, ITEMS, SHARED_BYTES) \
  ARIADNE_KERNEL_FUNCTION(ARGS, NAME, BLOCK, ITEMS, SHARED_BYTES)

namespace target {

// Whether a long value function may use registers freely.
inline constexpr bool kHasManyRegisters = true;

// Memory that no one writes while the kernel runs.
template <typename T>
ARIADNE_INLINE T load_ro(const T* address) {
  return *address;
}

template <typename T>
ARIADNE_INLINE void store(T* address, T value) {
  *address = value;
}

constexpr int native_order(order o) {
  return o == order::relaxed   ? __ATOMIC_RELAXED
         : o == order::acquire ? __ATOMIC_ACQUIRE
         : o == order::release ? __ATOMIC_RELEASE
                               : __ATOMIC_ACQ_REL;
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_load(const T* address) {
  static_assert(Order == order::relaxed || Order == order::acquire);
  return __atomic_load_n(address, native_order(Order));
}

template <order Order, typename T>
ARIADNE_INLINE void atomic_store(T* address, T value) {
  static_assert(Order == order::relaxed || Order == order::release);
  __atomic_store_n(address, value, native_order(Order));
}

// Each returns the value before the update.
template <order Order, typename T>
ARIADNE_INLINE T atomic_add(T* address, T value) {
  return __atomic_fetch_add(address, value, native_order(Order));
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_min(T* address, T value) {
  return __atomic_fetch_min(address, value, native_order(Order));
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_max(T* address, T value) {
  return __atomic_fetch_max(address, value, native_order(Order));
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_and(T* address, T value) {
  return __atomic_fetch_and(address, value, native_order(Order));
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_or(T* address, T value) {
  return __atomic_fetch_or(address, value, native_order(Order));
}

template <order Order, typename T>
ARIADNE_INLINE T atomic_exchange(T* address, T value) {
  return __atomic_exchange_n(address, value, native_order(Order));
}

// Stores `desired` when the value equals `expected`; returns the value found.
template <order Order, typename T>
ARIADNE_INLINE T atomic_compare_exchange(T* address, T expected, T desired) {
  constexpr int on_failure =
      Order == order::acquire || Order == order::acq_rel ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED;
  __atomic_compare_exchange_n(address, &expected, desired, false, native_order(Order), on_failure);
  return expected;
}

ARIADNE_INLINE void fence() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }

}  // namespace target

#include "target/host_bytes.cuh"
#include "target/host_expand.cuh"
