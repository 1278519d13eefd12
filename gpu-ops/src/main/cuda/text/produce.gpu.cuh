// GPU form; included by produce.cuh only. A thread makes the string of a row.
#pragma once

#include "text/produce_row.cuh"
#include "text/recode_row.cuh"
#include "text/text.gpu.cuh"

namespace text {

// Writes long strings to memory, and keeps the first twelve bytes.
struct writing_sink {
  u8* heap;  // null: a short string
  u64 low;
  u64 high;
  u32 length;
  bool is_covered;
  bool is_null;

  ARIADNE_MEMBER void put(u8 byte) {
    const u32 shift = length % 8 * 8;
    low |= length < 8 ? static_cast<u64>(byte) << shift : 0;
    high |= length >= 8 && length < 12 ? static_cast<u64>(byte) << shift : 0;
    if (heap != nullptr) {
      target::store(heap + length, byte);
    }
    length++;
  }
  template <typename A>
  ARIADNE_MEMBER void copy(A& a, u32 from, u32 to) {
#pragma clang loop unroll(disable)
    for (u32 i = from; i < to; i++) {
      put(a.byte(i));
    }
  }
};

template <typename Rule, typename Sink>
ARIADNE_INLINE void produce_row(const produce_text_args& args, u32 row, Sink& sink) {
  const auto texts = [&args, row](u32 k) {
    const produce_input& input = args.texts[k % PRODUCE_MAX_TEXTS];
    const u64x2* views = static_cast<const u64x2*>(input.column.data);
    const u64x2 view = target::load_ro(views + row_of(input, row));
    return word_text(static_cast<i64>(view.x), static_cast<i64>(view.y), input.column.heaps);
  };
  const auto has = [&args, row](u32 k) {
    return has_value(args.texts[k % PRODUCE_MAX_TEXTS], row);
  };
  Rule::make(args, texts, has, number_of(args.number, row), sink);
}

// A warp takes the rows of a 32-bit word of the validity.
template <typename Rule>
ARIADNE_INLINE void produce_lengths(const produce_text_args& args) {
  const u32 lane = target::lane_index();
  const u64 stride = static_cast<u64>(target::grid_size()) * target::block_size();
  u64 first = static_cast<u64>(target::block_index()) * target::block_size() +
              target::warp_index() * target::kWarpSize;
  for (; first < args.rows; first += stride) {
    const u32 row = static_cast<u32>(first) + lane;
    counting_sink sink = {0, true, true};
    if (row < args.rows) {
      if ((made_word(args, row / 64) >> row % 64 & 1) != 0) {
        sink.is_null = false;
        produce_row<Rule>(args, row, sink);
      }
      finish_length(args, row, sink);
    }
    const u32 valid = target::ballot(!sink.is_null);
    if (lane == 0 && args.validity != nullptr) {
      target::store(reinterpret_cast<u32*>(args.validity) + first / 32, valid);
    }
  }
}

template <typename Rule>
ARIADNE_INLINE void produce_text(const produce_text_args& args) {
  const u64 stride = static_cast<u64>(target::grid_size()) * target::block_size();
  u64 row = static_cast<u64>(target::block_index()) * target::block_size() + target::thread_index();
  for (; row < args.rows; row += stride) {
    const u32 length = args.out[row].prefix;
    const u32 offset = static_cast<u32>(target::load_ro(args.offsets + row));
    const bool is_long = length > column::kInlineLength;
    writing_sink sink = {is_long ? args.heap + offset : nullptr, 0, 0, 0, true, false};
    if (length != 0) {
      produce_row<Rule>(args, static_cast<u32>(row), sink);
    }
    u64x2 view;
    view.x = static_cast<u64>(static_cast<u32>(sink.low)) << 32 | length;
    view.y = is_long ? static_cast<u64>(offset) << 32 : (sink.low >> 32 | sink.high << 32);
    target::store(reinterpret_cast<u64x2*>(args.out) + row, view);
  }
}

}  // namespace text
