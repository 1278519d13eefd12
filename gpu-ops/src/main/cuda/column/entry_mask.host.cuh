// Host form; included by entry_mask.cuh only.
#pragma once

namespace entries {

inline constexpr u32 kPollWords = 1 << 10;

ARIADNE_FUNCTION void run(const entry_mask_args& args) {
  const u32 words = (args.rows + 63) / 64;
  for (u32 word = 0; word < words; word++) {
    if (word % kPollWords == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32* codes = args.codes + word * u64{64};
    const u32 rest = args.rows - word * 64;
    u8 truths[64] = {};
    if (rest >= 64) {
      // a gather of four takes longer than four loads on most processors
#pragma clang loop vectorize(disable) unroll_count(16)
      for (u32 i = 0; i < 64; i++) {
        truths[i] = args.truths[codes[i]];
      }
    } else {
      for (u32 i = 0; i < rest; i++) {
        truths[i] = args.truths[codes[i]];
      }
    }
    args.mask[word] = target::pack_truths(truths);
  }
}

}  // namespace entries
