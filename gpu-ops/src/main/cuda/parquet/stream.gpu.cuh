// The bytes of a stream as the GPU reads them: by aligned words.
#pragma once

#include "parquet/task.cuh"

namespace parquet {

// A stream as 4-byte words; the first and the last may hold bytes of others, which do not count.
struct stream_words {
  const u32* words;
  u32 skew;  // bits of the first word before the stream
  u32 count;

  ARIADNE_MEMBER explicit stream_words(const parquet_task& task) {
    const u32 bytes = static_cast<u32>(reinterpret_cast<u64>(task.data) % 4);
    words = reinterpret_cast<const u32*>(task.data - bytes);
    skew = bytes * 8;
    count = static_cast<u32>((bytes + task.data_bytes + 3) / 4);
  }

  ARIADNE_MEMBER u32 load(u32 word) const {
    return word < count ? target::load_ro(words + word) : 0;
  }

  // `width` bits, 1 to 32, from bit `bit` of the stream on.
  ARIADNE_MEMBER u32 bits(u64 bit, u32 width) const {
    bit += skew;
    const u32 word = static_cast<u32>(bit / 32);
    const u32 shift = bit % 32;
    const u64 low = load(word);
    const u64 high = shift + width > 32 ? load(word + 1) : 0;
    return static_cast<u32>((high << 32 | low) >> shift) & static_cast<u32>((u64{1} << width) - 1);
  }
};

}  // namespace parquet
