// Murmur3 of the strings of a tile on the host. A loop over the words of one string after the other
// would mispredict the end of nearly each. So strings of at most 12 bytes, which their views hold,
// are hashed without branches, and longer ones in the order of their numbers of words, several at a
// time.
#pragma once

#include "tile/byte_hash.cuh"
#include "tile/lanes.host.cuh"

namespace tile {

// At least four bytes in memory.
struct memory_bytes {
  const u8* at;

  ARIADNE_MEMBER u32 next() {
    u32 word;
    __builtin_memcpy(&word, at, sizeof(word));
    at += sizeof(word);
    return word;
  }
  // Ends with the string, so that nothing behind it is read.
  ARIADNE_MEMBER u32 rest(u32 count) const {
    u32 word;
    __builtin_memcpy(&word, at + count - sizeof(word), sizeof(word));
    return word >> 8 * (sizeof(word) - count);
  }
};

template <typename Hash>
ARIADNE_INLINE i64 hash_view(i64 low, i64 high, const void* const* heaps, i64 seed) {
  const u32 length = view_length(low);
  if (length <= column::kInlineLength) {
    register_bytes bytes = inline_bytes(low, high);
    return Hash::hash(bytes, length, seed);
  }
  const void* heap = heaps[static_cast<u32>(high)];
  memory_bytes bytes = {static_cast<const u8*>(heap) + (static_cast<u64>(high) >> 32)};
  return Hash::hash(bytes, length, seed);
}

// The strings of a tile: the halves of their views.
struct views {
  const i64* low;
  const i64* high;
  const void* const* heaps;

  ARIADNE_MEMBER u32 length(u32 i) const { return view_length(low[i]); }
  // Of a string that its view does not hold.
  ARIADNE_MEMBER const u8* bytes(u32 i) const {
    const u64 place = static_cast<u64>(high[i]);
    return static_cast<const u8*>(heaps[static_cast<u32>(place)]) + (place >> 32);
  }
};

inline constexpr u32 kTogether = 8;
using words8 = u32 __attribute__((ext_vector_type(8)));
using integers8 = i32 __attribute__((ext_vector_type(8)));
static_assert(kTogether == 8);

// Strings of this many words and more are hashed one by one: the loop over them is long.
inline constexpr u32 kManyWords = 32;

// A round for `word` where `there`.
ARIADNE_INLINE u32 mix_where(bool there, u32 hash, u32 word) {
  const u32 mixed = element::murmur3_mix(hash, word);
  return there ? mixed : hash;
}
ARIADNE_INLINE u32 signed_byte(u32 word) { return static_cast<u32>(static_cast<i8>(word)); }

// Hashes strings of at most 12 bytes; what it gives for others means nothing.
template <typename Seed>
ARIADNE_INLINE void hash_inline_views(const views& strings, u32 rows, Seed seed, i64* out) {
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < rows; i++) {
    const u64 low = static_cast<u64>(strings.low[i]);
    const u64 high = static_cast<u64>(strings.high[i]);
    const u32 length = static_cast<u32>(low);
    const u32 a = static_cast<u32>(low >> 32);
    const u32 b = static_cast<u32>(high);
    const u32 c = static_cast<u32>(high >> 32);
    u32 hash = static_cast<u32>(seed(i));
    hash = mix_where(length >= 4, hash, a);
    hash = mix_where(length >= 8, hash, b);
    hash = mix_where(length >= 12, hash, c);
    const u32 rest = length < 4 ? a : (length < 8 ? b : c);
    hash = mix_where(length % 4 > 0, hash, signed_byte(rest));
    hash = mix_where(length % 4 > 1, hash, signed_byte(rest >> 8));
    hash = mix_where(length % 4 > 2, hash, signed_byte(rest >> 16));
    out[i] = element::murmur3_lane(element::murmur3_finish(hash, length));
  }
}

// Hashes kTogether longer strings of `words` whole words.
template <typename Seed>
ARIADNE_INLINE void hash_together(const views& strings, const u16* rows, u32 words, Seed seed,
                                  i64* out) {
  const u8* at[kTogether];
  words8 hash;
  words8 length;
  words8 rest;
#pragma unroll
  for (u32 k = 0; k < kTogether; k++) {
    const u32 row = rows[k];
    at[k] = strings.bytes(row);
    length[k] = strings.length(row);
    hash[k] = static_cast<u32>(seed(row));
    u32 last;
    __builtin_memcpy(&last, at[k] + length[k] - sizeof(last), sizeof(last));
    rest[k] = last;
  }
#pragma clang loop unroll(disable)
  for (u32 w = 0; w < words; w++) {
    words8 word;
#pragma unroll
    for (u32 k = 0; k < kTogether; k++) {
      u32 loaded;
      __builtin_memcpy(&loaded, at[k] + w * sizeof(loaded), sizeof(loaded));
      word[k] = loaded;
    }
    hash = element::murmur3_mix(hash, word);
  }
  // The last one to three bytes are the highest of `rest`.
  const words8 tail = length % 4;
  rest = rest >> ((4 - tail) * 8 & 31);
#pragma unroll
  for (u32 byte = 0; byte < 3; byte++) {
    const integers8 top = __builtin_bit_cast(integers8, rest << 24) >> 24;
    const words8 mixed = element::murmur3_mix(hash, __builtin_bit_cast(words8, top));
    hash = tail > byte ? mixed : hash;
    rest >>= 8;
  }
  hash = element::murmur3_finish(hash, length);
#pragma unroll
  for (u32 k = 0; k < kTogether; k++) {
    out[rows[k]] = element::murmur3_lane(hash[k]);
  }
}

// Numbers of the rows with longer strings, those of w words from first[w] to first[w + 1]; those of
// kManyWords and more, and then those of inline strings, are last.
struct rows_by_words {
  u16 row[kRows];
  u32 first[kManyWords + 3];

  ARIADNE_MEMBER static u32 bucket(u32 length) {
    const u32 words = length / 4;
    return length <= column::kInlineLength ? kManyWords + 1
                                           : (words < kManyWords ? words : kManyWords);
  }
  ARIADNE_MEMBER void sort(const views& strings, u32 rows) {
    u32 next[kManyWords + 2] = {};
    for (u32 i = 0; i < rows; i++) {
      next[bucket(strings.length(i))]++;
    }
    u32 place = 0;
    for (u32 b = 0; b < kManyWords + 2; b++) {
      const u32 count = next[b];
      first[b] = place;
      next[b] = place;
      place += count;
    }
    first[kManyWords + 2] = place;
    for (u32 i = 0; i < rows; i++) {
      row[next[bucket(strings.length(i))]++] = static_cast<u16>(i);
    }
  }
};

// out[i] = the hash of string i, seeded with seed(i); out may hold the seeds.
template <typename Seed>
ARIADNE_INLINE void murmur3_views(const views& strings, u32 rows, Seed seed, i64* out) {
  rows_by_words order;
  order.sort(strings, rows);
  const u32 short_rows = order.first[kManyWords + 2] - order.first[kManyWords + 1];
  const auto hash_one = [&](u32 i) {
    memory_bytes bytes = {strings.bytes(i)};
    out[i] = murmur3::hash(bytes, strings.length(i), seed(i));
  };
  if (short_rows == rows) {
    hash_inline_views(strings, rows, seed, out);
    return;
  }
  for (u32 k = order.first[kManyWords + 1]; k < rows; k++) {
    const u32 i = order.row[k];
    register_bytes bytes = inline_bytes(strings.low[i], strings.high[i]);
    out[i] = murmur3::hash(bytes, strings.length(i), seed(i));
  }
  for (u32 words = 3; words < kManyWords; words++) {
    u32 k = order.first[words];
    const u32 end = order.first[words + 1];
    for (; k + kTogether <= end; k += kTogether) {
      hash_together(strings, order.row + k, words, seed, out);
    }
    for (; k < end; k++) {
      hash_one(order.row[k]);
    }
  }
  for (u32 k = order.first[kManyWords]; k < order.first[kManyWords + 1]; k++) {
    hash_one(order.row[k]);
  }
}

}  // namespace tile
