// Spark's hash functions of SQL values, bit for bit: Murmur3 of 32 bits (`hash`, and the
// partitioning of exchanges) and xxHash of 64 bits (`xxhash64`). After Spark's
// org.apache.spark.unsafe.hash.Murmur3_x86_32 (A. Appleby's MurmurHash3, except that each byte
// behind the last whole word is a word of its own) and
// org.apache.spark.sql.catalyst.expressions.XXH64 (Y. Collet's xxHash).
//
// Hashes are chained: the seed of a value is the hash of the one before it. In 64-bit lanes a
// 32-bit hash is sign-extended, as Spark's int is. Loops over these functions vectorise.
#pragma once

#include "element/wide.cuh"

namespace element {

// --- Murmur3 ---

// On u32 or vectors of them.
template <typename Word>
ARIADNE_INLINE Word murmur3_mix(Word hash, Word word) {
  const Word scaled = word * 0xcc9e2d51u;
  const Word mixed = hash ^ (scaled << 15 | scaled >> 17) * 0x1b873593u;
  return (mixed << 13 | mixed >> 19) * 5 + 0xe6546b64u;
}

template <typename Word>
ARIADNE_INLINE Word murmur3_finish(Word hash, Word length_in_bytes) {
  hash ^= length_in_bytes;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

ARIADNE_INLINE i64 murmur3_lane(u32 hash) { return static_cast<i32>(hash); }

// Murmur3_x86_32.hashInt of the low 32 bits.
ARIADNE_INLINE i64 murmur3_int(i64 value, i64 seed) {
  const u32 hash = murmur3_mix(static_cast<u32>(seed), static_cast<u32>(value));
  return murmur3_lane(murmur3_finish(hash, 4u));
}

// Murmur3_x86_32.hashLong
ARIADNE_INLINE i64 murmur3_long(i64 value, i64 seed) {
  const u32 low = murmur3_mix(static_cast<u32>(seed), static_cast<u32>(value));
  const u32 hash = murmur3_mix(low, static_cast<u32>(static_cast<u64>(value) >> 32));
  return murmur3_lane(murmur3_finish(hash, 8u));
}

// --- xxHash ---

inline constexpr u64 kXxPrime1 = 0x9e3779b185ebca87;
inline constexpr u64 kXxPrime2 = 0xc2b2ae3d27d4eb4f;
inline constexpr u64 kXxPrime3 = 0x165667b19e3779f9;
inline constexpr u64 kXxPrime4 = 0x85ebca77c2b2ae63;
inline constexpr u64 kXxPrime5 = 0x27d4eb2f165667c5;

ARIADNE_INLINE u64 xxhash_finish(u64 hash) {
  hash = (hash ^ hash >> 33) * kXxPrime2;
  hash = (hash ^ hash >> 29) * kXxPrime3;
  return hash ^ hash >> 32;
}

// The rounds by which 8 bytes, 4 bytes and one byte enter a hash.
ARIADNE_INLINE u64 xxhash_mix_long(u64 hash, u64 word) {
  hash ^= __builtin_rotateleft64(word * kXxPrime2, 31) * kXxPrime1;
  return __builtin_rotateleft64(hash, 27) * kXxPrime1 + kXxPrime4;
}
ARIADNE_INLINE u64 xxhash_mix_int(u64 hash, u32 word) {
  hash ^= word * kXxPrime1;
  return __builtin_rotateleft64(hash, 23) * kXxPrime2 + kXxPrime3;
}
ARIADNE_INLINE u64 xxhash_mix_byte(u64 hash, u8 byte) {
  hash ^= byte * kXxPrime5;
  return __builtin_rotateleft64(hash, 11) * kXxPrime1;
}

// The four parallel sums of strings of 32 bytes and more: one of 8 bytes, and their union.
ARIADNE_INLINE u64 xxhash_round(u64 sum, u64 word) {
  return __builtin_rotateleft64(sum + word * kXxPrime2, 31) * kXxPrime1;
}
ARIADNE_INLINE u64 xxhash_merge(u64 hash, u64 sum) {
  hash ^= __builtin_rotateleft64(sum * kXxPrime2, 31) * kXxPrime1;
  return hash * kXxPrime1 + kXxPrime4;
}

// XXH64.hashInt of the low 32 bits.
ARIADNE_INLINE i64 xxhash_int(i64 value, i64 seed) {
  const u64 hash = static_cast<u64>(seed) + kXxPrime5 + 4;
  return static_cast<i64>(xxhash_finish(xxhash_mix_int(hash, static_cast<u32>(value))));
}

// XXH64.hashLong
ARIADNE_INLINE i64 xxhash_long(i64 value, i64 seed) {
  const u64 hash = static_cast<u64>(seed) + kXxPrime5 + 8;
  return static_cast<i64>(xxhash_finish(xxhash_mix_long(hash, static_cast<u64>(value))));
}

// --- what is hashed ---

// Float.floatToIntBits of the nearest float, sign-extended; 0 for both zeros.
ARIADNE_INLINE i64 hashed_float_bits(f64 value) {
  const f32 nearest = static_cast<f32>(value);
  const i32 bits = __builtin_bit_cast(i32, nearest);
  const i32 canonical = nearest != nearest ? 0x7fc00000 : bits;
  return nearest == 0.0f ? 0 : canonical;
}

// Length of BigInteger.toByteArray: the fewest bytes that hold the value and its sign.
ARIADNE_INLINE u32 shortest_bytes(i128 value) {
  return bit_length(static_cast<u128>(value ^ value >> 127)) / 8 + 1;
}

}  // namespace element
