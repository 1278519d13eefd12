// UTF-8 as Spark and Java see it, invalid bytes included.
#pragma once

#include "target/target.cuh"

namespace element {

// Bytes of the character that begins with a byte, as org.apache.spark.unsafe.types.UTF8String
// counts them: it looks at the first byte only.
ARIADNE_INLINE u32 character_bytes(u8 first) {
  if (first < 0xc2 || first > 0xf4) {
    return 1;
  }
  return first < 0xe0 ? 2 : (first < 0xf0 ? 3 : 4);
}

ARIADNE_INLINE bool is_continuation(u8 byte) { return (byte & 0xc0) == 0x80; }

// A code point and the bytes that it takes.
struct code_point {
  u32 value;
  u32 bytes;
};

inline constexpr u32 kReplacement = 0xfffd;

// The first code point that new String(bytes, UTF_8) makes of the bytes: up to four of them, the
// first in the lowest bits, of `left` that there are, at least one. Malformed bytes become one
// replacement character for as many of them as java.lang.String (JDK 17) takes together.
ARIADNE_INLINE code_point decode(u32 bytes, u32 left) {
  const u8 a = static_cast<u8>(bytes);
  const u8 b = static_cast<u8>(bytes >> 8);
  const u8 c = static_cast<u8>(bytes >> 16);
  const u8 d = static_cast<u8>(bytes >> 24);
  if (a < 0x80) {
    return {a, 1};
  }
  if (a < 0xc2 || a > 0xf4) {
    return {kReplacement, 1};
  }
  const bool second_is_wrong = left > 1 && (!is_continuation(b) || (a == 0xe0 && b < 0xa0) ||
                                            (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f));
  if (left == 1 || second_is_wrong) {
    return {kReplacement, 1};
  }
  if (a < 0xe0) {
    return {static_cast<u32>(a & 0x1f) << 6 | (b & 0x3f), 2};
  }
  if (left == 2 || !is_continuation(c)) {
    return {kReplacement, 2};
  }
  if (a < 0xf0) {
    const u32 value =
        static_cast<u32>(a & 0xf) << 12 | static_cast<u32>(b & 0x3f) << 6 | (c & 0x3f);
    return {value >= 0xd800 && value < 0xe000 ? kReplacement : value, 3};
  }
  if (left == 3 || !is_continuation(d)) {
    return {kReplacement, 3};
  }
  return {static_cast<u32>(a & 7) << 18 | static_cast<u32>(b & 0x3f) << 12 |
              static_cast<u32>(c & 0x3f) << 6 | (d & 0x3f),
          4};
}

}  // namespace element
