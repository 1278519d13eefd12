// Hashes of byte strings, shared by both interpreters: over any source that gives the bytes in
// order, by next() as little-endian words of four, and the one to three behind the last whole word
// by rest(count), with anything above them.
#pragma once

#include "element/spark_hash.cuh"
#include "tile/tile_program.cuh"

namespace tile {

// Up to 16 bytes in registers, the first in the lowest bits.
struct register_bytes {
  u64 low;
  u64 high;

  ARIADNE_MEMBER u32 next() {
    const u32 word = static_cast<u32>(low);
    low = low >> 32 | high << 32;
    high >>= 32;
    return word;
  }
  ARIADNE_MEMBER u32 rest(u32) const { return static_cast<u32>(low); }
};

// The bytes of a view of at most column::kInlineLength bytes, whose halves are given.
ARIADNE_INLINE register_bytes inline_bytes(i64 low, i64 high) {
  const u64 x = static_cast<u64>(low);
  const u64 y = static_cast<u64>(high);
  return {x >> 32 | y << 32, y >> 32};
}

// BigInteger.toByteArray: the highest byte first, element::shortest_bytes of them.
ARIADNE_INLINE register_bytes decimal_bytes(i128 value) {
  const u32 unused = 128 - 8 * element::shortest_bytes(value);
  const u128 shifted = static_cast<u128>(value) << unused;
  return {__builtin_bswap64(static_cast<u64>(shifted >> 64)),
          __builtin_bswap64(static_cast<u64>(shifted))};
}

// Murmur3_x86_32.hashUnsafeBytes
struct murmur3 {
  template <typename Bytes>
  ARIADNE_MEMBER static i64 hash(Bytes& bytes, u32 length, i64 seed) {
    u32 hash = static_cast<u32>(seed);
#pragma clang loop unroll(disable)
    for (u32 left = length / 4; left != 0; left--) {
      hash = element::murmur3_mix(hash, bytes.next());
    }
    u32 tail = length % 4;
    if (tail != 0) {
#pragma clang loop unroll(disable)
      for (u32 word = bytes.rest(tail); tail != 0; tail--, word >>= 8) {
        hash = element::murmur3_mix(hash, static_cast<u32>(static_cast<i8>(word)));
      }
    }
    return element::murmur3_lane(element::murmur3_finish(hash, length));
  }
};

// XXH64.hashUnsafeBytes
struct xxhash64 {
  template <typename Bytes>
  ARIADNE_MEMBER static u64 next_long(Bytes& bytes) {
    const u64 low = bytes.next();
    return static_cast<u64>(bytes.next()) << 32 | low;
  }

  // The hash of whole stripes of 32 bytes.
  template <typename Bytes>
  ARIADNE_MEMBER static u64 hash_stripes(Bytes& bytes, u32 stripes, u64 seed) {
    u64 a = seed + element::kXxPrime1 + element::kXxPrime2;
    u64 b = seed + element::kXxPrime2;
    u64 c = seed;
    u64 d = seed - element::kXxPrime1;
#pragma clang loop unroll(disable)
    for (; stripes != 0; stripes--) {
      a = element::xxhash_round(a, next_long(bytes));
      b = element::xxhash_round(b, next_long(bytes));
      c = element::xxhash_round(c, next_long(bytes));
      d = element::xxhash_round(d, next_long(bytes));
    }
    u64 hash = __builtin_rotateleft64(a, 1) + __builtin_rotateleft64(b, 7) +
               __builtin_rotateleft64(c, 12) + __builtin_rotateleft64(d, 18);
    hash = element::xxhash_merge(hash, a);
    hash = element::xxhash_merge(hash, b);
    hash = element::xxhash_merge(hash, c);
    return element::xxhash_merge(hash, d);
  }

  template <typename Bytes>
  ARIADNE_MEMBER static i64 hash(Bytes& bytes, u32 length, i64 seed) {
    u64 hash = length >= 32 ? hash_stripes(bytes, length / 32, static_cast<u64>(seed))
                            : static_cast<u64>(seed) + element::kXxPrime5;
    hash += length;
#pragma clang loop unroll(disable)
    for (u32 left = length % 32 / 8; left != 0; left--) {
      hash = element::xxhash_mix_long(hash, next_long(bytes));
    }
    if (length % 8 >= 4) {
      hash = element::xxhash_mix_int(hash, bytes.next());
    }
    u32 tail = length % 4;
    if (tail != 0) {
#pragma clang loop unroll(disable)
      for (u32 word = bytes.rest(tail); tail != 0; tail--, word >>= 8) {
        hash = element::xxhash_mix_byte(hash, static_cast<u8>(word));
      }
    }
    return static_cast<i64>(element::xxhash_finish(hash));
  }
};

// Length in bytes of the string whose view has this low half.
ARIADNE_INLINE u32 view_length(i64 low) { return static_cast<u32>(low); }

// The imm of a constant string: the slot of the pool at which its bytes begin, and their number.
ARIADNE_INLINE const u8* constant_bytes(const tile_program_args& args, i64 imm) {
  return reinterpret_cast<const u8*>(args.constants + static_cast<u32>(imm));
}
ARIADNE_INLINE u32 constant_length(i64 imm) {
  return static_cast<u32>(static_cast<u64>(imm) >> 32);
}

}  // namespace tile
