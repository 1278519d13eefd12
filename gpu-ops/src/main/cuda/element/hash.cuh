// Hash of a sequence of 64-bit words for hash tables of one process: not stored, not exchanged,
// free to change. Not Spark's hash.
#pragma once

#include "target/target.cuh"

namespace element {

inline constexpr u64 kHashSeed = 0x9e3779b97f4a7c15;

// The hash of the words so far and one more: the two halves of a 128-bit product, folded.
ARIADNE_INLINE u64 mix(u64 hash, u64 word) {
  const u64 mixed = (hash ^ word) + kHashSeed;
  const u128 product = static_cast<u128>(mixed) * 0xd6e8feb86659fd93;
  return (static_cast<u64>(product) ^ static_cast<u64>(product >> 64)) + mixed;
}

}  // namespace element
