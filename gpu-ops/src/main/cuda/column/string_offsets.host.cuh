// Host form; included by string_offsets.cuh only.
#pragma once

namespace strings {

inline constexpr u32 kPollRows = 1 << 14;

ARIADNE_FUNCTION void make_offsets(const string_offsets_args& args) {
  u64 bytes = 0;
  for (u32 row = 0; row < args.rows; row++) {
    if (row % kPollRows == 0 && status::cancelled(args.status)) {
      return;
    }
    args.offsets[row] = static_cast<i32>(bytes);
    bytes += length(args, row);
  }
  finish(args, bytes);
}

ARIADNE_FUNCTION void copy_characters(const string_characters_args& args) {
  for (u32 row = 0; row < args.rows; row++) {
    if (row % kPollRows == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 bytes = static_cast<u32>(args.offsets[row + 1] - args.offsets[row]);
    if (bytes > 0) {
      __builtin_memcpy(args.out + args.offsets[row],
                       column::characters(args.views + row, args.heaps), bytes);
    }
  }
}

}  // namespace strings
