// Strings on the GPU: each thread reads its own by words of eight bytes, of which none lies wholly
// outside of the string, and keeps the last one.
#pragma once

#include "column/column_view.cuh"
#include "text/text.cuh"

namespace text {

struct word_text {
  const u64* words;  // null: the bytes are in `low` and `high`
  u64 low;           // or the word kept
  u64 high;          // or its number
  u32 skew;          // bytes of the first word before the string
  u32 length;

  ARIADNE_MEMBER word_text(const u8* at, u32 bytes) {
    skew = static_cast<u32>(reinterpret_cast<u64>(at) % sizeof(u64));
    words = reinterpret_cast<const u64*>(at - skew);
    length = bytes;
    low = 0;
    high = ~0ull;
  }
  // The string of a view whose halves are given.
  ARIADNE_MEMBER word_text(i64 view_low, i64 view_high, const void* const* heaps) {
    const u64 x = static_cast<u64>(view_low);
    const u64 y = static_cast<u64>(view_high);
    length = static_cast<u32>(x);
    skew = 0;
    words = nullptr;
    low = x >> 32 | y << 32;
    high = y >> 32;
    if (length > column::kInlineLength) {
      const u8* heap = static_cast<const u8*>(target::load_ro(heaps + static_cast<u32>(y)));
      *this = word_text(heap + (y >> 32), length);
    }
  }

  ARIADNE_MEMBER u8 byte(u32 i) {
    const u32 at = i + skew;
    if (words == nullptr) {
      return static_cast<u8>((at < 8 ? low : high) >> at % 8 * 8);
    }
    if (at / 8 != high) {
      high = at / 8;
      low = target::load_ro(words + high);
    }
    return static_cast<u8>(low >> at % 8 * 8);
  }
};

}  // namespace text
