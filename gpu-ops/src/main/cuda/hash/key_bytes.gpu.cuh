// Bytes of long strings on the GPU: one by one, as they have any alignment.
#pragma once

#include "element/hash.cuh"

namespace hash {

// Up to 8 bytes as a little-endian word, without reading beyond them.
ARIADNE_INLINE u64 load_bytes(const u8* bytes, u32 count) {
  u64 word = 0;
  for (u32 i = 0; i < count; i++) {
    word |= static_cast<u64>(bytes[i]) << 8 * i;
  }
  return word;
}

ARIADNE_INLINE u64 hash_bytes(u64 hash, const u8* bytes, u32 length) {
  for (u32 at = 0; at < length; at += 8) {
    hash = element::mix(hash, load_bytes(bytes + at, length - at < 8 ? length - at : 8));
  }
  return hash;
}

ARIADNE_INLINE bool equal_bytes(const u8* a, const u8* b, u32 length) {
  for (u32 i = 0; i < length; i++) {
    if (a[i] != b[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace hash
