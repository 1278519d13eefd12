// GPU form; included by format.cuh only. A thread makes the string of a row, in a slot of the heap
// that begins at a multiple of eight bytes.
#pragma once

#include "text/format_row.cuh"

namespace text {

// Writes to memory by words of eight bytes, and keeps the first sixteen.
struct writing_sink {
  u64* words;  // null: all is kept
  u64 word;    // the one begun
  u64 low;
  u64 high;
  u32 length;

  ARIADNE_MEMBER void flush() {
    const u32 index = (length - 1) / 8;
    if (words != nullptr) {
      target::store(words + index, word);
    }
    low = index == 0 ? word : low;
    high = index == 1 ? word : high;
    word = 0;
  }
  ARIADNE_MEMBER void put(u8 byte) {
    word |= static_cast<u64>(byte) << length % 8 * 8;
    length++;
    if (length % 8 == 0) {
      flush();
    }
  }
  ARIADNE_MEMBER void put_digits(u64 value, u32 count) {
#pragma clang loop unroll(disable)
    for (u32 left = count; left > 0; left--) {
      const u64 digits = element::quotient(value, element::short_power_of_ten(left - 1));
      put(static_cast<u8>('0' + digits % 10));
    }
  }
  // Writes the word begun.
  ARIADNE_MEMBER void finish() {
    if (length % 8 != 0) {
      flush();
    }
  }
};

// Whether the string is not in its view.
template <u32 Type>
ARIADNE_INLINE bool format_row(const format_value_args& args, u32 row) {
  const u64 offset = static_cast<u64>(row) * args.bound;
  writing_sink sink = {reinterpret_cast<u64*>(args.bound == 0 ? nullptr : args.heap + offset), 0, 0,
                       0, 0};
  if (has_value(args, row)) {
    format<Type>(args, row, sink);
    sink.finish();
  }
  const bool is_long = sink.length > column::kInlineLength;
  u64x2 view;
  view.x = sink.low << 32 | sink.length;
  view.y = is_long ? offset << 32 : (sink.low >> 32 | sink.high << 32);
  target::store(reinterpret_cast<u64x2*>(args.out) + row, view);
  return is_long;
}

template <u32 Type>
ARIADNE_INLINE void format_all(const format_value_args& args, format_constant<Type>) {
  const u64 stride = static_cast<u64>(target::grid_size()) * target::block_size();
  const u32 thread = target::block_index() * target::block_size() + target::thread_index();
  for (u64 first = thread - target::lane_index(); first < args.rows; first += stride) {
    const u64 row = first + target::lane_index();
    const bool is_long = row < args.rows && format_row<Type>(args, static_cast<u32>(row));
    const u32 longs = target::ballot(is_long);
    if (longs != 0 && target::lane_index() == 0) {
      const u64 last = first + 31 - static_cast<u32>(__builtin_clz(longs));
      target::atomic_max<target::order::relaxed>(&args.status->detail[0], (last + 1) * args.bound);
    }
  }
}

ARIADNE_FUNCTION void format_text(const format_value_args& args) {
  with_format(args.type, [&](auto type) { format_all(args, type); });
}

}  // namespace text
