// Strings in memory, on the host: bytes are compared and looked for many at a time.
#pragma once

#include "column/column_view.cuh"
#include "text/text.cuh"

namespace text {

struct memory_text {
  const u8* at;
  u32 length;

  ARIADNE_MEMBER u8 byte(u32 i) const { return at[i]; }
};

// The string of a view whose halves are given. The bytes of a short string are copied to the last
// argument.
ARIADNE_INLINE memory_text of_view(i64 low, i64 high, const void* const* heaps, u64 (&room)[2]) {
  const u32 length = static_cast<u32>(low);
  if (length <= column::kInlineLength) {
    room[0] = static_cast<u64>(low) >> 32 | static_cast<u64>(high) << 32;
    room[1] = static_cast<u64>(high) >> 32;
    return {reinterpret_cast<const u8*>(room), length};
  }
  const u64 place = static_cast<u64>(high);
  return {static_cast<const u8*>(heaps[static_cast<u32>(place)]) + (place >> 32), length};
}

ARIADNE_INLINE u64 load_word(const u8* at) {
  u64 word;
  __builtin_memcpy(&word, at, sizeof(word));
  return word;
}

ARIADNE_INLINE bool matches_at(const memory_text& a, u32 place, const memory_text& b) {
  const u8* x = a.at + place;
  u32 i = 0;
  for (; i + 8 <= b.length; i += 8) {
    if (load_word(x + i) != load_word(b.at + i)) {
      return false;
    }
  }
  for (; i < b.length; i++) {
    if (x[i] != b.at[i]) {
      return false;
    }
  }
  return true;
}

ARIADNE_INLINE i32 compare(const memory_text& a, const memory_text& b) {
  const u32 shared = a.length < b.length ? a.length : b.length;
  u32 i = 0;
  for (; i + 8 <= shared; i += 8) {
    const u64 x = load_word(a.at + i);
    const u64 y = load_word(b.at + i);
    if (x != y) {
      return __builtin_bswap64(x) < __builtin_bswap64(y) ? -1 : 1;
    }
  }
  for (; i < shared; i++) {
    if (a.at[i] != b.at[i]) {
      return a.at[i] < b.at[i] ? -1 : 1;
    }
  }
  return a.length == b.length ? 0 : (a.length < b.length ? -1 : 1);
}

inline constexpr u32 kNotFound = ~0u;

// Places of a block of N at which both the first and the last byte of a text are found: a bit each.
template <u32 N>
ARIADNE_INLINE u64 candidates(const u8* first_at, u8 first, const u8* last_at, u8 last) {
  using bytes = u8 __attribute__((ext_vector_type(N)));
  using bits = bool __attribute__((ext_vector_type(N)));
  bytes x;
  bytes y;
  __builtin_memcpy(&x, first_at, N);
  __builtin_memcpy(&y, last_at, N);
  const auto both = (x == first) & (y == last);
  const bits found = __builtin_convertvector(both, bits);
  if constexpr (N == 32) {
    return __builtin_bit_cast(u32, found);
  } else {
    static_assert(N == 8);
    return __builtin_bit_cast(u8, found);
  }
}

// The first of the places from `begin` to `end` at which `b` is; N of them at a time.
template <u32 N>
ARIADNE_INLINE u32 find_by_blocks(const memory_text& a, u32 begin, u32 end, const memory_text& b) {
  const u8 first = b.at[0];
  const u8 last = b.at[b.length - 1];
  for (u32 block = begin; block < end; block += N) {
    const u32 place = block + N <= end ? block : end - N;  // the last block overlaps
    u64 found = candidates<N>(a.at + place, first, a.at + place + b.length - 1, last);
    for (; found != 0; found &= found - 1) {
      const u32 candidate = place + static_cast<u32>(__builtin_ctzll(found));
      if (matches_at(a, candidate, b)) {
        return candidate;
      }
    }
  }
  return kNotFound;
}

// The first place from `from` on at which the bytes of `b` are; kNotFound: nowhere.
static u32 find(const memory_text& a, u32 from, const memory_text& b) {
  if (b.length == 0) {
    return from;
  }
  if (static_cast<u64>(from) + b.length > a.length) {
    return kNotFound;
  }
  const u32 end = a.length - b.length + 1;
  if (end - from >= 32) {
    return find_by_blocks<32>(a, from, end, b);
  }
  if (end - from >= 8) {
    return find_by_blocks<8>(a, from, end, b);
  }
  for (u32 place = from; place < end; place++) {
    if (matches_at(a, place, b)) {
      return place;
    }
  }
  return kNotFound;
}

ARIADNE_INLINE bool contains(const memory_text& a, const memory_text& b) {
  return find(a, 0, b) != kNotFound;
}

ARIADNE_INLINE bool is_ascii(const memory_text& a) {
  u64 all = 0;
  u32 i = 0;
  for (; i + 8 <= a.length; i += 8) {
    all |= load_word(a.at + i);
  }
  u8 rest = 0;
  for (; i < a.length; i++) {
    rest |= a.at[i];
  }
  return (all & 0x8080808080808080) == 0 && rest < 0x80;
}

// A compiled pattern cut at its kAnyTexts, when it has no kAnyCharacter and few parts.
struct pattern_parts {
  static constexpr u32 kMost = 16;
  memory_text part[kMost];
  u32 count;  // 0: too many parts, or some with kAnyCharacter

  ARIADNE_MEMBER explicit pattern_parts(const memory_text& pattern) : count(0) {
    u32 begin = 0;
    u32 parts = 0;
    for (u32 i = 0; i <= pattern.length; i++) {
      if (i < pattern.length && pattern.at[i] == kAnyCharacter) {
        return;
      }
      if (i == pattern.length || pattern.at[i] == kAnyText) {
        if (parts == kMost) {
          return;
        }
        part[parts++] = {pattern.at + begin, i - begin};
        begin = i + 1;
      }
    }
    count = parts;
  }

  // Whether `a` begins with the first part, ends with the last, and has the others in between.
  ARIADNE_MEMBER bool matches(const memory_text& a) const {
    const memory_text& first = part[0];
    const memory_text& last = part[count - 1];
    if (count == 1) {
      return a.length == first.length && matches_at(a, 0, first);
    }
    if (a.length < first.length + last.length || !matches_at(a, 0, first) ||
        !matches_at(a, a.length - last.length, last)) {
      return false;
    }
    const memory_text middle = {a.at, a.length - last.length};
    u32 place = first.length;
    for (u32 k = 1; k + 1 < count; k++) {
      const u32 found = find(middle, place, part[k]);
      if (found == kNotFound) {
        return false;
      }
      place = found + part[k].length;
    }
    return true;
  }
};

}  // namespace text
