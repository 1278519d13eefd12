// Bytes of long strings on the host, eight at a time; nothing beyond them is read.
#pragma once

#include "element/hash.cuh"

namespace hash {

ARIADNE_INLINE u64 load_word(const u8* bytes) {
  u64 word;
  __builtin_memcpy(&word, bytes, sizeof(word));
  return word;
}

// Mixes the words of a string of at least 8 bytes, the last one filled up with zeros.
ARIADNE_INLINE u64 hash_bytes(u64 hash, const u8* bytes, u32 length) {
  u32 at = 0;
  for (; at + 8 <= length; at += 8) {
    hash = element::mix(hash, load_word(bytes + at));
  }
  if (at < length) {
    hash = element::mix(hash, load_word(bytes + length - 8) >> 8 * (8 - (length - at)));
  }
  return hash;
}

// Whether two strings of at least 8 bytes are equal.
ARIADNE_INLINE bool equal_bytes(const u8* a, const u8* b, u32 length) {
  u64 difference = load_word(a + length - 8) ^ load_word(b + length - 8);
  for (u32 at = 0; at + 8 <= length && difference == 0; at += 8) {
    difference = load_word(a + at) ^ load_word(b + at);
  }
  return difference == 0;
}

}  // namespace hash
