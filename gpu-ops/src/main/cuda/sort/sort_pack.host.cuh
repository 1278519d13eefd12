// Host form of sort_pack.
#pragma once

namespace sort {

inline constexpr u32 kTileRows = 2048;

template <typename Step>
ARIADNE_INLINE void for_tiles(const sort_pack_args& args, Step step) {
  for (u32 first = 0; first < args.rows && !status::cancelled(args.status); first += kTileRows) {
    step(first, args.rows - first < kTileRows ? args.rows : first + kTileRows);
  }
}

ARIADNE_FUNCTION void find_varying(const sort_pack_args& args) {
  for (u32 w = 0; w < args.word_count; w++) {
    const u64* words = args.words + w * args.stride;
    u64 varying = 0;
    for_tiles(args, [&](u32 first, u32 end) {
      for (u32 row = first; row < end; row++) {
        varying |= words[row] ^ words[0];
      }
    });
    args.varying[w] = varying;
  }
}

ARIADNE_FUNCTION void copy_bits(const sort_pack_args& args) {
  for_tiles(args, [&](u32 first, u32 end) {
    for (u32 s = 0; s < args.segment_count; s++) {
      const pack_segment segment = args.segments[s];
      const u64* words = args.words + segment.word * args.stride;
      for (u32 row = first; row < end; row++) {
        const u64 bits = bits_of(segment, words[row]);
        args.packed[row] = s == 0 ? bits : args.packed[row] | bits;
      }
    }
  });
}

}  // namespace sort
