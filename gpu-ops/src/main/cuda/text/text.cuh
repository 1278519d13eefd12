// What strings are asked, over any source of bytes: a type with `length` and byte(i). Hosts read
// memory, GPUs words; see text.host.cuh and text.gpu.cuh, whose overloads the compiler prefers.
//
// Source: org.apache.spark.unsafe.types.UTF8String (Spark 3.5 and 4.1), whose characters begin
// where the first bytes of those before them say, whatever the others are.
#pragma once

#include "element/utf8.cuh"

namespace text {

// Bytes of compiled patterns, which no UTF-8 has.
inline constexpr u8 kAnyText = 0xfe;       // % of LIKE
inline constexpr u8 kAnyCharacter = 0xff;  // _ of LIKE

// -1, 0 or 1: the order of the bytes, unsigned; what is a beginning comes first.
template <typename A, typename B>
ARIADNE_INLINE i32 compare(A& a, B& b) {
  const u32 shared = a.length < b.length ? a.length : b.length;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < shared; i++) {
    const u8 x = a.byte(i);
    const u8 y = b.byte(i);
    if (x != y) {
      return x < y ? -1 : 1;
    }
  }
  return a.length == b.length ? 0 : (a.length < b.length ? -1 : 1);
}

// Whether the bytes of `a` from a place on begin with all of `b`; there are as many.
template <typename A, typename B>
ARIADNE_INLINE bool matches_at(A& a, u32 place, B& b) {
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < b.length; i++) {
    if (a.byte(place + i) != b.byte(i)) {
      return false;
    }
  }
  return true;
}

template <typename A, typename B>
ARIADNE_INLINE bool equals(A& a, B& b) {
  return a.length == b.length && matches_at(a, 0, b);
}
template <typename A, typename B>
ARIADNE_INLINE bool starts_with(A& a, B& b) {
  return a.length >= b.length && matches_at(a, 0, b);
}
template <typename A, typename B>
ARIADNE_INLINE bool ends_with(A& a, B& b) {
  return a.length >= b.length && matches_at(a, a.length - b.length, b);
}
template <typename A, typename B>
ARIADNE_INLINE bool contains(A& a, B& b) {
#pragma clang loop unroll(disable)
  for (u32 place = 0; place + b.length <= a.length; place++) {
    if (matches_at(a, place, b)) {
      return true;
    }
  }
  return false;
}

// The place behind `count` characters from the one that begins at `place`; at most the length.
template <typename A>
ARIADNE_INLINE u32 skip_characters(A& a, u32 place, i64 count) {
#pragma clang loop unroll(disable)
  for (; count > 0 && place < a.length; count--) {
    place += element::character_bytes(a.byte(place));
  }
  return place < a.length ? place : a.length;
}

// UTF8String.numChars
template <typename A>
ARIADNE_INLINE i32 characters(A& a) {
  i32 count = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < a.length; i += element::character_bytes(a.byte(i))) {
    count++;
  }
  return count;
}

// UTF8String.indexOf: number of the character, not below `start`, at which `b` is found; or -1.
template <typename A, typename B>
ARIADNE_INLINE i32 position_of(A& a, B& b, i64 start) {
  if (b.length == 0) {
    return 0;
  }
  u32 place = 0;
  i32 character = 0;
#pragma clang loop unroll(disable)
  for (; place < a.length && character < start; character++) {
    place += element::character_bytes(a.byte(place));
  }
#pragma clang loop unroll(disable)
  for (; static_cast<u64>(place) + b.length <= a.length; character++) {
    if (matches_at(a, place, b)) {
      return character;
    }
    place += element::character_bytes(a.byte(place));
  }
  return -1;
}

// The code point at a place below the length, as java.lang.String decodes it.
template <typename A>
ARIADNE_INLINE element::code_point decode_at(A& a, u32 place) {
  const u32 left = a.length - place;
  u32 bytes = a.byte(place);
  if (bytes < 0x80) {
    return {bytes, 1};
  }
#pragma clang loop unroll(disable)
  for (u32 i = 1; i < 4 && i < left; i++) {
    bytes |= static_cast<u32>(a.byte(place + i)) << 8 * i;
  }
  return element::decode(bytes, left);
}

// Spark's ascii(): 0 of nothing.
template <typename A>
ARIADNE_INLINE u32 first_code_point(A& a) {
  return a.length == 0 ? 0 : decode_at(a, 0).value;
}

// Whether `a` is one of the texts that a compiled pattern describes. Steps through `a` by
// characters of java.lang.String; when the bytes behind a kAnyText do not match, they are tried
// one character further on, for the last kAnyText only.
template <typename A, typename B>
ARIADNE_INLINE bool is_like(A& a, B& pattern) {
  u32 at = 0;
  u32 next = 0;
  u32 retry_at = 0;
  u32 retry_next = 0;  // behind the last kAnyText; 0: none
#pragma clang loop unroll(disable)
  while (at < a.length) {
    const u8 wanted = next < pattern.length ? pattern.byte(next) : 0;
    if (next < pattern.length && wanted == kAnyText) {
      next++;
      retry_at = at;
      retry_next = next;
    } else if (next < pattern.length && wanted == kAnyCharacter) {
      next++;
      at += decode_at(a, at).bytes;
    } else if (next < pattern.length && wanted == a.byte(at)) {
      next++;
      at++;
    } else if (retry_next != 0) {
      retry_at += decode_at(a, retry_at).bytes;
      at = retry_at;
      next = retry_next;
    } else {
      return false;
    }
  }
#pragma clang loop unroll(disable)
  while (next < pattern.length && pattern.byte(next) == kAnyText) {
    next++;
  }
  return next == pattern.length;
}

// Part of a string: bytes from `from` to `to`.
struct range {
  u32 from;
  u32 to;
};

// UTF8String.substringSQL: characters from the 1-based `position` on, from the end when negative.
// Bytes that the last character lacks are not made up.
template <typename A>
ARIADNE_INLINE range substring(A& a, i32 position, i32 count) {
  const i64 start =
      position > 0 ? position - i64{1} : (position < 0 ? i64{characters(a)} + position : i64{0});
  const i64 sum = start + count;
  const i64 end = sum > 0x7fffffff ? 0x7fffffff : sum;
  if (end <= start || start >= static_cast<i64>(a.length)) {
    return {0, 0};
  }
  const u32 from = skip_characters(a, 0, start);
  return {from, skip_characters(a, from, end - (start < 0 ? 0 : start))};
}

enum trim_side : u32 { kTrimLeft = 1, kTrimRight = 2 };

// Without what is on the given sides of the characters in `set`, all of which are ASCII.
template <typename A, typename B>
ARIADNE_INLINE range trim(A& a, B& set, u32 sides) {
  range kept = {a.length, a.length};
  bool is_first = true;
#pragma clang loop unroll(disable)
  for (u32 place = 0; place < a.length;) {
    const u8 first = a.byte(place);
    bool is_kept = true;
#pragma clang loop unroll(disable)
    for (u32 i = 0; i < set.length; i++) {
      is_kept &= set.byte(i) != first;
    }
    const u32 next = place + element::character_bytes(first);
    if (is_kept) {
      kept.from = is_first ? place : kept.from;
      kept.to = next < a.length ? next : a.length;
      is_first = false;
    }
    place = next;
  }
  if (is_first) {
    return {0, 0};
  }
  return {(sides & kTrimLeft) != 0 ? kept.from : 0, (sides & kTrimRight) != 0 ? kept.to : a.length};
}

// The same of spaces, which are looked for byte by byte from either side.
template <typename A>
ARIADNE_INLINE range trim_spaces(A& a, u32 sides) {
  range kept = {0, a.length};
#pragma clang loop unroll(disable)
  while ((sides & kTrimLeft) != 0 && kept.from < kept.to && a.byte(kept.from) == ' ') {
    kept.from++;
  }
#pragma clang loop unroll(disable)
  while ((sides & kTrimRight) != 0 && kept.from < kept.to && a.byte(kept.to - 1) == ' ') {
    kept.to--;
  }
  return kept;
}

}  // namespace text
