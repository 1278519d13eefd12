// Atomics of the CUDA target at gpu scope. Included by cuda.cuh only.
#pragma once

#include "target/types.cuh"

namespace target {

// One inline-PTX read-modify-write per order: LLVM would drop the ordering of an __atomic_*.
#define ARIADNE_PTX_ATOMIC(OPERATION, TYPE, SUFFIX, CONSTRAINT)               \
  template <order Order>                                                      \
  ARIADNE_INLINE TYPE ptx_##OPERATION(TYPE* address, TYPE value) {            \
    TYPE old;                                                                 \
    if constexpr (Order == order::relaxed) {                                  \
      asm volatile("atom.relaxed.gpu." #OPERATION "." SUFFIX " %0, [%1], %2;" \
                   : "=" CONSTRAINT(old)                                      \
                   : "l"(address), CONSTRAINT(value)                          \
                   : "memory");                                               \
    } else if constexpr (Order == order::acquire) {                           \
      asm volatile("atom.acquire.gpu." #OPERATION "." SUFFIX " %0, [%1], %2;" \
                   : "=" CONSTRAINT(old)                                      \
                   : "l"(address), CONSTRAINT(value)                          \
                   : "memory");                                               \
    } else if constexpr (Order == order::release) {                           \
      asm volatile("atom.release.gpu." #OPERATION "." SUFFIX " %0, [%1], %2;" \
                   : "=" CONSTRAINT(old)                                      \
                   : "l"(address), CONSTRAINT(value)                          \
                   : "memory");                                               \
    } else {                                                                  \
      asm volatile("atom.acq_rel.gpu." #OPERATION "." SUFFIX " %0, [%1], %2;" \
                   : "=" CONSTRAINT(old)                                      \
                   : "l"(address), CONSTRAINT(value)                          \
                   : "memory");                                               \
    }                                                                         \
    return old;                                                               \
  }

ARIADNE_PTX_ATOMIC(add, u32, "u32", "r")
ARIADNE_PTX_ATOMIC(add, u64, "u64", "l")
ARIADNE_PTX_ATOMIC(min, u32, "u32", "r")
ARIADNE_PTX_ATOMIC(min, i32, "s32", "r")
ARIADNE_PTX_ATOMIC(min, u64, "u64", "l")
ARIADNE_PTX_ATOMIC(min, i64, "s64", "l")
ARIADNE_PTX_ATOMIC(max, u32, "u32", "r")
ARIADNE_PTX_ATOMIC(max, i32, "s32", "r")
ARIADNE_PTX_ATOMIC(max, u64, "u64", "l")
ARIADNE_PTX_ATOMIC(max, i64, "s64", "l")
ARIADNE_PTX_ATOMIC(and, u32, "b32", "r")
ARIADNE_PTX_ATOMIC(and, u64, "b64", "l")
ARIADNE_PTX_ATOMIC(or, u32, "b32", "r")
ARIADNE_PTX_ATOMIC(or, u64, "b64", "l")
ARIADNE_PTX_ATOMIC(exch, u32, "b32", "r")
ARIADNE_PTX_ATOMIC(exch, u64, "b64", "l")
#undef ARIADNE_PTX_ATOMIC

template <typename T>
inline constexpr bool is_atomic_type =
    __is_same(T, u32) || __is_same(T, i32) || __is_same(T, u64) || __is_same(T, i64);

// The unsigned type of T's width, for operations that do not depend on the sign.
template <typename T>
using unsigned_bits = typename cell<sizeof(T)>::type;

// Each read-modify-write returns the value before the update. Relaxed ones are left to the
// compiler, which then sees whether the address is shared or global.
#define ARIADNE_UNSIGNED_ATOMIC(NAME, OPERATION, BUILTIN)                                      \
  template <order Order, typename T>                                                           \
  ARIADNE_INLINE T atomic_##NAME(T* address, T value) {                                        \
    static_assert(is_atomic_type<T>);                                                          \
    if constexpr (Order == order::relaxed) {                                                   \
      return BUILTIN(address, value, __ATOMIC_RELAXED);                                        \
    } else {                                                                                   \
      using bits = unsigned_bits<T>;                                                           \
      return static_cast<T>(                                                                   \
          ptx_##OPERATION<Order>(reinterpret_cast<bits*>(address), static_cast<bits>(value))); \
    }                                                                                          \
  }

#define ARIADNE_SIGNED_ATOMIC(NAME, BUILTIN)            \
  template <order Order, typename T>                    \
  ARIADNE_INLINE T atomic_##NAME(T* address, T value) { \
    static_assert(is_atomic_type<T>);                   \
    if constexpr (Order == order::relaxed) {            \
      return BUILTIN(address, value, __ATOMIC_RELAXED); \
    } else {                                            \
      return ptx_##NAME<Order>(address, value);         \
    }                                                   \
  }

ARIADNE_UNSIGNED_ATOMIC(add, add, __atomic_fetch_add)
ARIADNE_UNSIGNED_ATOMIC(and, and, __atomic_fetch_and)
ARIADNE_UNSIGNED_ATOMIC(or, or, __atomic_fetch_or)
ARIADNE_UNSIGNED_ATOMIC(exchange, exch, __atomic_exchange_n)
ARIADNE_SIGNED_ATOMIC(min, __atomic_fetch_min)
ARIADNE_SIGNED_ATOMIC(max, __atomic_fetch_max)
#undef ARIADNE_UNSIGNED_ATOMIC
#undef ARIADNE_SIGNED_ATOMIC

#define ARIADNE_PTX_CAS(ORDER, SUFFIX, CONSTRAINT)                                 \
  asm volatile("atom." ORDER ".gpu.cas." SUFFIX " %0, [%1], %2, %3;"               \
               : "=" CONSTRAINT(old)                                               \
               : "l"(address), CONSTRAINT(expected_bits), CONSTRAINT(desired_bits) \
               : "memory")

#define ARIADNE_PTX_CAS_ORDERS(SUFFIX, CONSTRAINT)  \
  if constexpr (Order == order::acquire) {          \
    ARIADNE_PTX_CAS("acquire", SUFFIX, CONSTRAINT); \
  } else if constexpr (Order == order::release) {   \
    ARIADNE_PTX_CAS("release", SUFFIX, CONSTRAINT); \
  } else {                                          \
    ARIADNE_PTX_CAS("acq_rel", SUFFIX, CONSTRAINT); \
  }

// Stores `desired` when the value equals `expected`; returns the value found.
template <order Order, typename T>
ARIADNE_INLINE T atomic_compare_exchange(T* address, T expected, T desired) {
  static_assert(is_atomic_type<T>);
  if constexpr (Order == order::relaxed) {
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return expected;
  } else {
    using bits = unsigned_bits<T>;
    const bits expected_bits = static_cast<bits>(expected);
    const bits desired_bits = static_cast<bits>(desired);
    bits old;
    if constexpr (sizeof(T) == 4) {
      ARIADNE_PTX_CAS_ORDERS("b32", "r")
    } else {
      ARIADNE_PTX_CAS_ORDERS("b64", "l")
    }
    return static_cast<T>(old);
  }
}
#undef ARIADNE_PTX_CAS_ORDERS
#undef ARIADNE_PTX_CAS

template <order Order, typename T>
ARIADNE_INLINE T atomic_load(const T* address) {
  static_assert(is_atomic_type<T> && (Order == order::relaxed || Order == order::acquire));
  unsigned_bits<T> bits;
  if constexpr (sizeof(T) == 4 && Order == order::relaxed) {
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(bits) : "l"(address) : "memory");
  } else if constexpr (sizeof(T) == 4) {
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(bits) : "l"(address) : "memory");
  } else if constexpr (Order == order::relaxed) {
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(bits) : "l"(address) : "memory");
  } else {
    asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(bits) : "l"(address) : "memory");
  }
  return static_cast<T>(bits);
}

template <order Order, typename T>
ARIADNE_INLINE void atomic_store(T* address, T value) {
  static_assert(is_atomic_type<T> && (Order == order::relaxed || Order == order::release));
  const unsigned_bits<T> bits = static_cast<unsigned_bits<T>>(value);
  if constexpr (sizeof(T) == 4 && Order == order::relaxed) {
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(address), "r"(bits) : "memory");
  } else if constexpr (sizeof(T) == 4) {
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(address), "r"(bits) : "memory");
  } else if constexpr (Order == order::relaxed) {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(address), "l"(bits) : "memory");
  } else {
    asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(address), "l"(bits) : "memory");
  }
}

// Acquire and release fence for the whole device.
ARIADNE_INLINE void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

}  // namespace target
