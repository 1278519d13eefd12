// Host form; included by choose.cuh only.
#pragma once

#include "text/choose_row.cuh"
#include "text/text.host.cuh"

namespace choose {

inline constexpr u32 kPollWords = 1 << 8;

ARIADNE_INLINE const i64* view_of(const choose_option& option, u32 row) {
  return static_cast<const i64*>(option.column.data) + 2ull * row_of(option, row);
}

ARIADNE_INLINE i32 compare(const choose_option& a, const choose_option& b, u32 row) {
  u64 rooms[2][2];
  const i64* x = view_of(a, row);
  const i64* y = view_of(b, row);
  return text::compare(text::of_view(x[0], x[1], a.column.heaps, rooms[0]),
                       text::of_view(y[0], y[1], b.column.heaps, rooms[1]));
}

// 64 rows from `begin` on, fewer at the end; returns their validity.
ARIADNE_INLINE u64 run_word(const choose_text_args& args, u32 begin, u32 count) {
  u64* out = reinterpret_cast<u64*>(args.out) + 2ull * begin;
  u64 valid = 0;
  for (u32 i = 0; i < count; i++) {
    const u32 row = begin + i;
    const u32 k = number_of(args, row, [row](const choose_option& a, const choose_option& b) {
      return compare(a, b, row);
    });
    u64 low = 0;
    u64 high = 0;
    if (k != kNone) {
      const choose_option& option = option_of(args, k);
      const i64* view = view_of(option, row);
      low = static_cast<u64>(view[0]);
      high = moved(low, static_cast<u64>(view[1]), option.first_heap);
      valid |= 1ull << i;
    }
    out[2 * i] = low;
    out[2 * i + 1] = high;
  }
  return valid;
}

ARIADNE_FUNCTION void run(const choose_text_args& args) {
  const u32 words = (args.rows + 63) / 64;
  for (u32 word = 0; word < words; word++) {
    if (word % kPollWords == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 rest = args.rows - word * 64;
    const u64 valid = run_word(args, word * 64, rest < 64 ? rest : 64);
    if (args.validity != nullptr) {
      args.validity[word] = valid;
    }
  }
}

}  // namespace choose
