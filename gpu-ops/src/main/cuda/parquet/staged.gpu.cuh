// Bytes of a stream, at any alignment, in a warp's shared memory; GPU form only.
#pragma once

#include "target/target.cuh"

namespace parquet {

// Words of shared memory that staging up to `bytes` takes.
constexpr u32 staged_words(u32 bytes) { return bytes / 4 + 4; }

// Staged bytes; word(at) gives the four that begin at byte `at`, of which those behind the end may
// be anything.
struct staged_bytes {
  const u32* words;
  u32 skew;  // of the first byte in its word

  ARIADNE_MEMBER u32 word(u32 at) const {
    const u32 byte = skew + at;
    const u64 pair = static_cast<u64>(words[byte / 4 + 1]) << 32 | words[byte / 4];
    return static_cast<u32>(pair >> 8 * (byte % 4));
  }
  ARIADNE_MEMBER u32 byte(u32 at) const { return word(at) & 0xff; }
};

// Copies `bytes` bytes with all lanes of a warp, whole aligned words at both ends, and clears two
// words behind. Ends in a barrier of the warp; another one must come before the memory is reused.
ARIADNE_INLINE staged_bytes stage_bytes(const u8* from, u32 bytes, u32* staged) {
  const u32 skew = static_cast<u32>(reinterpret_cast<u64>(from) % 4);
  const u32* words = reinterpret_cast<const u32*>(from - skew);
  const u32 count = bytes == 0 ? 0 : (skew + bytes + 3) / 4;
  for (u32 i = target::lane_index(); i < count + 2; i += target::kWarpSize) {
    staged[i] = i < count ? target::load_ro(words + i) : 0;
  }
  target::warp_barrier();
  return {staged, skew};
}

}  // namespace parquet
