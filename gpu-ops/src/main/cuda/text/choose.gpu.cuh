// GPU form; included by choose.cuh only. A thread takes a row, a warp the rows of a 32-bit word.
#pragma once

#include "text/choose_row.cuh"
#include "text/text.gpu.cuh"

namespace choose {

ARIADNE_INLINE u64x2 view_of(const choose_option& option, u32 row) {
  return target::load_ro(static_cast<const u64x2*>(option.column.data) + row_of(option, row));
}

ARIADNE_INLINE text::word_text text_of(const choose_option& option, u32 row) {
  const u64x2 view = view_of(option, row);
  return text::word_text(static_cast<i64>(view.x), static_cast<i64>(view.y), option.column.heaps);
}

ARIADNE_FUNCTION void run(const choose_text_args& args) {
  const u32 lane = target::lane_index();
  const u64 stride = static_cast<u64>(target::grid_size()) * target::block_size();
  u64 first = static_cast<u64>(target::block_index()) * target::block_size() +
              target::warp_index() * target::kWarpSize;
  for (; first < args.rows; first += stride) {
    const u32 row = static_cast<u32>(first) + lane;
    u32 k = kNone;
    if (row < args.rows) {
      k = number_of(args, row, [row](const choose_option& a, const choose_option& b) {
        text::word_text x = text_of(a, row);
        text::word_text y = text_of(b, row);
        return text::compare(x, y);
      });
      u64x2 view = {0, 0};
      if (k != kNone) {
        const choose_option& option = option_of(args, k);
        view = view_of(option, row);
        view.y = moved(view.x, view.y, option.first_heap);
      }
      target::store(reinterpret_cast<u64x2*>(args.out) + row, view);
    }
    const u32 valid = target::ballot(k != kNone);
    if (lane == 0 && args.validity != nullptr) {
      target::store(reinterpret_cast<u32*>(args.validity) + first / 32, valid);
    }
  }
}

}  // namespace choose
