// GPU form of sort_pack.
#pragma once

namespace sort {

template <typename Step>
ARIADNE_INLINE void for_rows(const sort_pack_args& args, Step step) {
  const u64 stride = u64{target::grid_size()} * target::block_size();
  for (u64 row = u64{target::block_index()} * target::block_size() + target::thread_index();
       row < args.rows; row += stride) {
    step(row);
  }
}

ARIADNE_FUNCTION void find_varying(const sort_pack_args& args) {
  for (u32 w = 0; w < args.word_count; w++) {
    const u64* words = args.words + w * args.stride;
    const u64 first = target::load_ro(words);
    u64 varying = 0;
    for_rows(args, [&](u64 row) { varying |= target::load_ro(words + row) ^ first; });
#pragma unroll
    for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
      varying |= target::shuffle_xor(varying, distance);
    }
    if (target::lane_index() == 0 && varying != 0) {
      target::atomic_or<target::order::relaxed>(args.varying + w, varying);
    }
  }
}

ARIADNE_FUNCTION void copy_bits(const sort_pack_args& args) {
  for_rows(args, [&](u64 row) {
    u64 packed = 0;
    for (u32 s = 0; s < args.segment_count; s++) {
      const pack_segment& segment = args.segments[s];
      packed |= bits_of(segment, target::load_ro(args.words + segment.word * args.stride + row));
    }
    target::store(args.packed + row, packed);
  });
}

}  // namespace sort
