// Host form; included by sink.cuh only.
#pragma once

#include "text/text.host.cuh"

namespace text {

// Writes to memory.
struct writing_sink {
  u8* at;
  bool is_covered;

  ARIADNE_MEMBER void put(u8 byte) { *at++ = byte; }
  ARIADNE_MEMBER void put_digits(u64 value, u32 count) {
    u64 rest = value;
    for (u32 i = count; i > 0; i--) {
      at[i - 1] = static_cast<u8>('0' + rest % 10);
      rest /= 10;
    }
    at += count;
  }
  ARIADNE_MEMBER void copy(const memory_text& a, u32 from, u32 to) {
    __builtin_memcpy(at, a.at + from, to - from);
    at += to - from;
  }
};

}  // namespace text
