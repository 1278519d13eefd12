// GPU form; included by parse.cuh only. A thread reads the string of a row, a warp those of 32.
#pragma once

#include "text/parse_row.cuh"
#include "text/text.gpu.cuh"

namespace text {

ARIADNE_INLINE bool is_given(const cast_input& input, u32 row) {
  return (valid_word(input, row / 64) >> row % 64 & 1) != 0;
}

// Whether the row has a value, which is written; a boolean is returned in `truth`.
template <u32 Type>
ARIADNE_INLINE bool parse_row(const parse_text_args& args, u32 row, bool& truth) {
  const u64x2* views = static_cast<const u64x2*>(args.text.column.data);
  const u64x2 view = target::load_ro(views + row_of(args.text, row));
  word_text a(static_cast<i64>(view.x), static_cast<i64>(view.y), args.text.column.heaps);
  parsed_value<Type> result = {};
  const parsing outcome = parse<Type>(args, a, result);
  if (outcome != parsing::value) {
    report(args, row, outcome);
    return false;
  }
  if constexpr (Type == PARSE_BOOLEAN) {
    truth = result.value != 0;
  } else {
    write<Type>(args, row, result);
  }
  return true;
}

template <u32 Type>
ARIADNE_INLINE void parse_all(const parse_text_args& args, parsed_value<Type>) {
  const u64 stride = static_cast<u64>(target::grid_size()) * target::block_size();
  const u32 thread = target::block_index() * target::block_size() + target::thread_index();
  for (u64 first = thread - target::lane_index(); first < args.rows; first += stride) {
    const u64 row = first + target::lane_index();
    bool truth = false;
    bool is_valid = row < args.rows && is_given(args.text, static_cast<u32>(row));
    if (is_valid) {
      is_valid = parse_row<Type>(args, static_cast<u32>(row), truth);
    }
    const u32 valid = target::ballot(is_valid);
    const u32 nulls = target::ballot(row < args.rows && !is_valid);
    const u32 truths = Type == PARSE_BOOLEAN ? target::ballot(truth) : 0;
    if (target::lane_index() == 0) {
      target::store(reinterpret_cast<u32*>(args.validity) + first / 32, valid);
      if constexpr (Type == PARSE_BOOLEAN) {
        target::store(static_cast<u32*>(args.out) + first / 32, truths);
      }
      if (nulls != 0) {
        target::atomic_add<target::order::relaxed>(&args.status->detail[0],
                                                   static_cast<u64>(__builtin_popcount(nulls)));
      }
    }
  }
}

ARIADNE_FUNCTION void parse_text(const parse_text_args& args) {
  with_type(args.type, [&](auto type) { parse_all(args, type); });
}

}  // namespace text
