// Expansion on the host: values that lie side by side to the places of the set bits of a mask, by
// the instructions of the processor that do it. Included by host.cuh only.
#pragma once

namespace target {

// The low bits of `values`, in order, at the places of the set bits of `places`; zero elsewhere.
ARIADNE_INLINE u64 deposit_bits(u64 values, u64 places) {
#if defined(__BMI2__)
  return __builtin_ia32_pdep_di(values, places);
#else
  u64 result = 0;
  for (; places != 0; places &= places - 1, values >>= 1) {
    result |= values & 1 ? places & -places : 0;
  }
  return result;
#endif
}

// The bits of `values` at the places of the set bits of `places`, side by side from bit 0 on.
ARIADNE_INLINE u64 extract_bits(u64 values, u64 places) {
#if defined(__BMI2__)
  return __builtin_ia32_pext_di(values, places);
#else
  u64 result = 0;
  for (u32 i = 0; places != 0; places &= places - 1, i++) {
    result |= (values & places & -places) != 0 ? u64{1} << i : 0;
  }
  return result;
#endif
}

// All ones for 1, all zeros for 0; in arithmetic, as a branch would be mispredicted.
template <typename T>
ARIADNE_INLINE T expand_mask(u64 bit, T) {
  return static_cast<T>(0 - bit);
}
ARIADNE_INLINE u64x2 expand_mask(u64 bit, u64x2) { return u64x2(0 - bit); }

// One value at a time: for processors, and widths, without an instruction for it.
template <typename T>
ARIADNE_INLINE void expand_each(const T* in, u64 places, T* out) {
#pragma unroll
  for (u32 i = 0; i < 64; i++) {
    const u64 bit = places >> i & 1;
    out[i] = *in & expand_mask(bit, T(0));
    in += bit;
  }
}

#if defined(__BMI2__)

// Values of one or two bytes: as many as a word takes.
template <typename T>
ARIADNE_INLINE void expand_narrow(const T* in, u64 places, T* out) {
  constexpr u32 step = 8 / sizeof(T);
  constexpr u64 lowest = sizeof(T) == 1 ? 0x0101010101010101 : 0x0001000100010001;
  constexpr u64 whole = sizeof(T) == 1 ? 0xff : 0xffff;
#pragma unroll
  for (u32 i = 0; i < 64; i += step) {
    const u64 bits = places >> i & ((u64{1} << step) - 1);
    u64 values;
    __builtin_memcpy(&values, in, sizeof(values));
    values = deposit_bits(values, deposit_bits(bits, lowest) * whole);
    __builtin_memcpy(out + i, &values, sizeof(values));
    in += __builtin_popcountll(bits);
  }
}

#endif

#if defined(__AVX2__)

// For each mask of the words in a vector, from which word each takes its value; -1: none.
template <u32 WordsPerValue>
struct expand_table {
  static constexpr u32 kValues = 8 / WordsPerValue;
  alignas(8) i8 from[1 << kValues][8];

  constexpr expand_table() : from() {
    for (u32 mask = 0; mask < 1u << kValues; mask++) {
      u32 next = 0;
      for (u32 value = 0; value < kValues; value++) {
        const bool is_set = mask >> value & 1;
        for (u32 word = 0; word < WordsPerValue; word++) {
          from[mask][value * WordsPerValue + word] =
              is_set ? static_cast<i8>(next * WordsPerValue + word) : i8{-1};
        }
        next += is_set;
      }
    }
  }
};

template <u32 WordsPerValue>
static constexpr expand_table<WordsPerValue> kExpandTable{};

// Values of four or eight bytes. (AVX-512 has an instruction for it, which is no faster here.)
template <typename T>
ARIADNE_INLINE void expand_wide(const T* in, u64 places, T* out) {
  using words = i32 __attribute__((vector_size(32)));
  using bytes = i8 __attribute__((vector_size(8)));
  constexpr u32 step = 32 / sizeof(T);
  const auto& table = kExpandTable<sizeof(T) / 4>;
#pragma unroll
  for (u32 i = 0; i < 64; i += step) {
    const u64 bits = places >> i & ((u64{1} << step) - 1);
    bytes narrow;
    __builtin_memcpy(&narrow, table.from[bits], sizeof(narrow));
    const words from = __builtin_convertvector(narrow, words);
    words values;
    __builtin_memcpy(&values, in, sizeof(values));
    values = __builtin_ia32_permvarsi256(values, from) & ~(from >> 31);
    __builtin_memcpy(out + i, &values, sizeof(values));
    in += __builtin_popcountll(bits);
  }
}

#endif

// 64 rows: the value of row i is the next one of `in` if bit i of `places` is set, else 0. Reads no
// more than 64 values.
template <typename T>
ARIADNE_INLINE void expand(const T* in, u64 places, T* out) {
#if defined(__BMI2__) && defined(__AVX2__)
  if constexpr (sizeof(T) <= 2) {
    expand_narrow(in, places, out);
  } else if constexpr (sizeof(T) <= 8) {
    expand_wide(in, places, out);
  } else {
    expand_each(in, places, out);
  }
#else
  expand_each(in, places, out);
#endif
}

}  // namespace target
