// Parts of a string between delimiters, over any source of bytes.
//
// Source: UTF8String.splitSQL and subStringIndex (Spark 3.5 and 4.1).
#pragma once

#include "text/text.cuh"

namespace text {

// Whether all of it is UTF-8, as java.lang.String decodes it without a replacement.
template <typename A>
ARIADNE_INLINE bool is_well_formed(A& a) {
#pragma clang loop unroll(disable)
  for (u32 place = 0; place < a.length;) {
    const element::code_point point = decode_at(a, place);
    const bool is_replacement =
        point.value == element::kReplacement && (point.bytes != 3 || a.byte(place) != 0xef);
    if (is_replacement) {
      return false;
    }
    place += point.bytes;
  }
  return true;
}

// Place of the next `b` in `a`, not before `place`; the length of `a` when there is none.
template <typename A, typename B>
ARIADNE_INLINE u32 next_place(A& a, B& b, u32 place) {
#pragma clang loop unroll(disable)
  for (; static_cast<u64>(place) + b.length <= a.length; place++) {
    if (matches_at(a, place, b)) {
      return place;
    }
  }
  return a.length;
}

// Element `number`, from 1, of the parts between delimiters; below 0 from the last one; nothing
// when there is none. Malformed texts, which Spark replaces, and a number that is none are not
// covered.
template <typename A, typename B>
ARIADNE_INLINE range split_part(A& a, B& delimiter, i64 number, bool& is_covered) {
  const bool is_number = number != 0 && number != -0x80000000ll;
  if (!is_number) {
    is_covered = false;
    return {0, 0};
  }
  if (delimiter.length == 0) {
    return {0, number == 1 || number == -1 ? a.length : 0};
  }
  is_covered &= is_well_formed(a) && is_well_formed(delimiter);
  i64 wanted = number - 1;
  if (number < 0) {
    i64 parts = 1;
#pragma clang loop unroll(disable)
    for (u32 at = next_place(a, delimiter, 0); at < a.length; parts++) {
      at = next_place(a, delimiter, at + delimiter.length);
    }
    wanted = parts + number;
  }
  if (wanted < 0) {
    return {0, 0};
  }
  u32 from = 0;
#pragma clang loop unroll(disable)
  for (u32 to = next_place(a, delimiter, 0);; to = next_place(a, delimiter, from)) {
    if (wanted == 0) {
      return {from, to};
    }
    if (to == a.length) {
      return {0, 0};
    }
    wanted--;
    from = to + delimiter.length;
  }
}

// What is before the delimiter found the number-th time, or, from the right when the number is
// below 0, behind it; all when it is not found so often. Delimiters may overlap.
template <typename A, typename B>
ARIADNE_INLINE range substring_index(A& a, B& delimiter, i64 number, bool& is_covered) {
  is_covered &= number != -0x80000000ll;
  if (number == 0 || delimiter.length == 0) {
    return {0, 0};
  }
  if (delimiter.length > a.length) {
    return {0, a.length};
  }
  const bool is_right = number < 0;
  const i64 last = i64{a.length} - delimiter.length;
  i64 missing = is_right ? -number : number;
#pragma clang loop unroll(disable)
  for (i64 i = 0; i <= last; i++) {
    const u32 place = static_cast<u32>(is_right ? last - i : i);
    if (matches_at(a, place, delimiter) && --missing == 0) {
      return is_right ? range{place + delimiter.length, a.length} : range{0, place};
    }
  }
  return {0, a.length};
}

}  // namespace text
