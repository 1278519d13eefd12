// Hash of a sequence of 64-bit words for hash tables of one process: not stored, not exchanged,
// free to change. Not Spark's hash.
#pragma once

#include "target/target.cuh"

namespace element {

inline constexpr u64 kHashSeed = 0x9e3779b97f4a7c15;

// The hash of the words so far and one more, to be begun with kHashSeed and ended with finish_hash.
// 64-bit multiplications and shifts only: loops over it vectorise.
ARIADNE_INLINE u64 mix(u64 hash, u64 word) {
  const u64 product = (hash ^ word) * 0xd6e8feb86659fd93;
  return product ^ product >> 32;
}

// Spreads every bit over all bits: the finalizer of MurmurHash3 (A. Appleby, 2011).
ARIADNE_INLINE u64 finish_hash(u64 hash) {
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccd;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53;
  return hash ^ hash >> 33;
}

}  // namespace element
