// Powers of ten as 128 significant bits and an exponent of two: what conversions between doubles
// and decimal digits multiply by.
#pragma once

#include "element/wide.cuh"

namespace element {

inline constexpr i32 kMinBinaryPower = -342;  // of ten
inline constexpr i32 kMaxBinaryPower = 324;

// floor(10^p * 2^-e) with its top bit set, for e = floor(log2(10^p)) - 127.
struct binary_power {
  u64 low;
  u64 high;
};

struct binary_powers {
  binary_power entry[kMaxBinaryPower - kMinBinaryPower + 1];

  // Numbers of 32-bit words, lowest first: 5^p, and 2^992 / 5^-p rounded down.
  static constexpr u32 kWords = 32;

  constexpr binary_powers() : entry() {
    u32 word[kWords] = {};
    word[0] = 1;
    for (i32 p = 0; p <= kMaxBinaryPower; p++) {
      entry[p - kMinBinaryPower] = leading(word);
      u64 carry = 0;
      for (u32 i = 0; i < kWords; i++) {
        carry += static_cast<u64>(word[i]) * 5;
        word[i] = static_cast<u32>(carry);
        carry >>= 32;
      }
    }
    for (u32 i = 0; i < kWords; i++) {
      word[i] = i == kWords - 1 ? 1 : 0;
    }
    for (i32 p = -1; p >= kMinBinaryPower; p--) {
      u64 rest = 0;
      for (u32 i = kWords; i > 0; i--) {
        rest = rest << 32 | word[i - 1];
        word[i - 1] = static_cast<u32>(rest / 5);
        rest %= 5;
      }
      entry[p - kMinBinaryPower] = leading(word);
    }
  }

  // The 128 bits from the highest one set on.
  static constexpr binary_power leading(const u32 (&word)[kWords]) {
    u32 top = kWords - 1;
    while (word[top] == 0) {
      top--;
    }
    u128 bits = 0;
    for (u32 i = 0; i < 4; i++) {
      bits = bits << 32 | (top >= i ? word[top - i] : 0);
    }
    u32 shift = 0;
    while (bits >> (127 - shift) == 0) {
      shift++;
    }
    const u64 next = top >= 4 ? word[top - 4] : 0;
    bits = bits << shift | static_cast<u64>(next << shift >> 32);
    return {static_cast<u64>(bits), static_cast<u64>(bits >> 64)};
  }
};

// 10^p for p of the table.
ARIADNE_INLINE binary_power binary_power_of_ten(i32 p) {
  static constexpr binary_powers table;
  return table.entry[p - kMinBinaryPower];
}

// floor(log2(10^p)) and floor(log10(2^p)) for |p| below 1100.
ARIADNE_INLINE i32 floor_log2_of_power_of_ten(i32 p) { return p * 1741647 >> 19; }
ARIADNE_INLINE i32 floor_log10_of_power_of_two(i32 p) { return p * 315653 >> 20; }

}  // namespace element
