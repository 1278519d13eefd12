// Host form; included by format.cuh only.
#pragma once

#include "text/format_row.cuh"

namespace text {

inline constexpr u32 kFormattedRows = 1 << 12;  // between looks at the cancel word

ARIADNE_FUNCTION void format_lengths(const format_value_args& args) {
  for (u32 word = 0; args.validity != nullptr && word < (args.rows + 63) / 64; word++) {
    args.validity[word] = valid_word(args.value, word);
  }
  for (u32 row = 0; row < args.rows; row++) {
    if (row % kFormattedRows == 0 && status::cancelled(args.status)) {
      return;
    }
    counting_sink sink = {0, true};
    if (has_value(args, row)) {
      format(args, row, sink);
    }
    keep_length(args, row, sink);
  }
}

ARIADNE_FUNCTION void format_text(const format_value_args& args) {
  for (u32 row = 0; row < args.rows; row++) {
    if (row % kFormattedRows == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 length = args.out[row].prefix;
    const u32 offset = static_cast<u32>(args.offsets[row]);
    const bool is_long = length > column::kInlineLength;
    u8 room[16] = {};
    u8* at = is_long ? args.heap + offset : room;
    if (length != 0) {
      writing_sink sink = {at, true};
      format(args, row, sink);
    }
    string_view view = {static_cast<i32>(length), 0, 0, offset};
    __builtin_memcpy(&view.prefix, at, is_long ? sizeof(view.prefix) : column::kInlineLength);
    args.out[row] = view;
  }
}

}  // namespace text
