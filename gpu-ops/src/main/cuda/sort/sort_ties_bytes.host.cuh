// Comparison of bytes on the host, eight at a time.
#pragma once

namespace sort {

ARIADNE_INLINE u64 load_big_endian(const u8* bytes) {
  u64 word;
  __builtin_memcpy(&word, bytes, sizeof(word));
  return __builtin_bswap64(word);
}

ARIADNE_INLINE i32 compare_bytes(const u8* a, const u8* b, u32 length) {
  u32 at = 0;
  for (; at + 8 <= length; at += 8) {
    const u64 a_word = load_big_endian(a + at);
    const u64 b_word = load_big_endian(b + at);
    if (a_word != b_word) {
      return a_word < b_word ? -1 : 1;
    }
  }
  for (; at < length; at++) {
    if (a[at] != b[at]) {
      return a[at] < b[at] ? -1 : 1;
    }
  }
  return 0;
}

}  // namespace sort
