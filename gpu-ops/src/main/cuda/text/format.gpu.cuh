// GPU form; included by format.cuh only. A thread makes the string of a row.
#pragma once

#include "text/format_row.cuh"

namespace text {

ARIADNE_FUNCTION void format_lengths(const format_value_args& args) {
  const u64 stride = static_cast<u64>(target::grid_size()) * target::block_size();
  u64 row = static_cast<u64>(target::block_index()) * target::block_size() + target::thread_index();
  const u64 words = args.validity == nullptr ? 0 : (args.rows + 63ull) / 64;
  for (u64 word = row; word < words; word += stride) {
    target::store(args.validity + word, valid_word(args.value, static_cast<u32>(word)));
  }
  for (; row < args.rows; row += stride) {
    counting_sink sink = {0, true};
    if (has_value(args, static_cast<u32>(row))) {
      format(args, static_cast<u32>(row), sink);
    }
    keep_length(args, static_cast<u32>(row), sink);
  }
}

ARIADNE_FUNCTION void format_text(const format_value_args& args) {
  const u64 stride = static_cast<u64>(target::grid_size()) * target::block_size();
  u64 row = static_cast<u64>(target::block_index()) * target::block_size() + target::thread_index();
  for (; row < args.rows; row += stride) {
    const u32 length = args.out[row].prefix;
    const u32 offset = static_cast<u32>(target::load_ro(args.offsets + row));
    const bool is_long = length > column::kInlineLength;
    writing_sink sink = {is_long ? args.heap + offset : nullptr, 0, 0, 0, true};
    if (length != 0) {
      format(args, static_cast<u32>(row), sink);
    }
    u64x2 view;
    view.x = static_cast<u64>(static_cast<u32>(sink.low)) << 32 | length;
    view.y = is_long ? static_cast<u64>(offset) << 32 : (sink.low >> 32 | sink.high << 32);
    target::store(reinterpret_cast<u64x2*>(args.out) + row, view);
  }
}

}  // namespace text
