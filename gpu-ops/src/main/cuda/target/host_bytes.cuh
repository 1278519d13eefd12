// Copies of a fixed number of bytes on the host, and bytes as bits. Included by host.cuh only.
#pragma once

namespace target {

// Copies N bytes, all of them read before the first is written.
template <u32 N>
ARIADNE_INLINE void copy_bytes(u8* to, const u8* from) {
  struct bytes {
    u8 at[N];
  };
  bytes all;
  __builtin_memcpy(&all, from, N);
  __builtin_memcpy(to, &all, N);
}

// 64 truth values to a word.
ARIADNE_INLINE u64 pack_truths(const u8 (&truths)[64]) {
  using bytes64 = u8 __attribute__((ext_vector_type(64)));
  using bits64 = bool __attribute__((ext_vector_type(64)));
  bytes64 values;
  __builtin_memcpy(&values, truths, sizeof(values));
  return __builtin_bit_cast(u64, __builtin_convertvector(values != 0, bits64));
}

inline constexpr u32 kRepeatedBytes = 64;

#if defined(__AVX2__)

// For each distance below 16, which of that many bytes comes at a place when they are repeated.
struct repeat_table {
  alignas(64) u8 from[16][kRepeatedBytes];

  constexpr repeat_table() : from() {
    for (u32 distance = 1; distance < 16; distance++) {
      for (u32 i = 0; i < kRepeatedBytes; i++) {
        from[distance][i] = static_cast<u8>(i % distance);
      }
    }
  }
};

static constexpr repeat_table kRepeatTable{};

ARIADNE_INLINE void repeat_near(u8* to, u64 distance) {
  using bytes = char __attribute__((vector_size(32)));
  using half = u64 __attribute__((vector_size(16)));
  half source;
  __builtin_memcpy(&source, to - distance, sizeof(source));
  const auto both = reinterpret_cast<bytes>(__builtin_shufflevector(source, source, 0, 1, 0, 1));
#pragma unroll
  for (u32 i = 0; i < kRepeatedBytes; i += sizeof(bytes)) {
    bytes from;
    __builtin_memcpy(&from, kRepeatTable.from[distance] + i, sizeof(from));
    const bytes made = __builtin_ia32_pshufb256(both, from);
    __builtin_memcpy(to + i, &made, sizeof(made));
  }
}

#else

ARIADNE_INLINE void repeat_near(u8* to, u64 distance) {
#pragma clang loop vectorize(disable) unroll(disable)
  for (u32 i = 0; i < kRepeatedBytes; i++) {
    to[i] = to[i - distance];
  }
}

#endif

// Writes 64 bytes, each that of `distance` bytes before it; at least 1, and 16 bytes from there on
// can be read.
ARIADNE_INLINE void repeat_bytes(u8* to, u64 distance) {
  if (distance < 16) {
    repeat_near(to, distance);
    return;
  }
#pragma unroll
  for (u32 i = 0; i < kRepeatedBytes; i += 16) {
    copy_bytes<16>(to + i, to + i - distance);
  }
}

}  // namespace target
