// A few bytes from anywhere in a stream; GPU form only.
#pragma once

#include "target/target.cuh"

namespace parquet {

// Up to 16 bytes, lowest first, by aligned words of which none lies wholly outside of them; what is
// behind the last may be anything.
ARIADNE_INLINE u64x2 load_upto16(const u8* from, u32 count) {
  const u32 skew = static_cast<u32>(reinterpret_cast<u64>(from) % 4);
  const u32* words = reinterpret_cast<const u32*>(from - skew);
  u32 word[5];
#pragma unroll
  for (u32 i = 0; i < 5; i++) {
    word[i] = 4 * i < skew + count && count > 0 ? target::load_ro(words + i) : 0;
  }
  u32 part[4];
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    part[i] = static_cast<u32>((static_cast<u64>(word[i + 1]) << 32 | word[i]) >> 8 * skew);
  }
  return {static_cast<u64>(part[1]) << 32 | part[0], static_cast<u64>(part[3]) << 32 | part[2]};
}

}  // namespace parquet
