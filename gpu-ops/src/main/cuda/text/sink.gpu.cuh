// GPU form; included by sink.cuh only.
#pragma once

#include "text/text.gpu.cuh"

namespace text {

// Writes long strings to memory, and keeps the first twelve bytes.
struct writing_sink {
  u8* heap;  // null: a short string
  u64 low;
  u64 high;
  u32 length;
  bool is_covered;

  ARIADNE_MEMBER void put(u8 byte) {
    const u32 shift = length % 8 * 8;
    low |= length < 8 ? static_cast<u64>(byte) << shift : 0;
    high |= length >= 8 && length < 12 ? static_cast<u64>(byte) << shift : 0;
    if (heap != nullptr) {
      target::store(heap + length, byte);
    }
    length++;
  }
  ARIADNE_MEMBER void put_digits(u64 value, u32 count) {
#pragma clang loop unroll(disable)
    for (u32 left = count; left > 0; left--) {
      const u64 digits = element::quotient(value, element::short_power_of_ten(left - 1));
      put(static_cast<u8>('0' + digits % 10));
    }
  }
  template <typename A>
  ARIADNE_MEMBER void copy(A& a, u32 from, u32 to) {
#pragma clang loop unroll(disable)
    for (u32 i = from; i < to; i++) {
      put(a.byte(i));
    }
  }
};

}  // namespace text
