// Host form; included by parse.cuh only.
#pragma once

#include "text/parse_row.cuh"
#include "text/text.host.cuh"

namespace text {

// The string of a row. The bytes of a short string are copied to the last argument.
ARIADNE_INLINE memory_text text_of(const cast_input& input, u32 row, u64 (&room)[2]) {
  const i64* view = static_cast<const i64*>(input.column.data) + 2ull * row_of(input, row);
  return of_view(view[0], view[1], input.column.heaps, room);
}

// The rows of a word of validity; returns how many are null.
template <u32 Type>
ARIADNE_INLINE u32 parse_word(const parse_text_args& args, u32 word) {
  const u32 left = args.rows - word * 64;
  const u32 rows = left < 64 ? left : 64;
  u64 wanted = valid_word(args.text, word) & (left < 64 ? (1ull << left) - 1 : ~0ull);
  u64 valid = 0;
  u64 truths = 0;
  for (; wanted != 0; wanted &= wanted - 1) {
    const u32 bit = static_cast<u32>(__builtin_ctzll(wanted));
    const u32 row = word * 64 + bit;
    u64 room[2];
    memory_text a = text_of(args.text, row, room);
    parsed_value<Type> result = {};
    const parsing outcome = parse<Type>(args, a, result);
    if (outcome != parsing::value) {
      report(args, row, outcome);
      result.value = 0;
    } else {
      valid |= 1ull << bit;
    }
    if constexpr (Type == PARSE_BOOLEAN) {
      truths |= static_cast<u64>(result.value) << bit;
    } else {
      write<Type>(args, row, result);
    }
  }
  args.validity[word] = valid;
  if constexpr (Type == PARSE_BOOLEAN) {
    static_cast<u64*>(args.out)[word] = truths;
  }
  return rows - static_cast<u32>(__builtin_popcountll(valid));
}

template <u32 Type>
static void parse_all(const parse_text_args& args, parsed_value<Type>) {
  constexpr u32 poll_words = 64;
  u64 nulls = 0;
  for (u32 word = 0; word < (args.rows + 63) / 64; word++) {
    if (word % poll_words == 0 && status::cancelled(args.status)) {
      return;
    }
    nulls += parse_word<Type>(args, word);
  }
  args.status->detail[0] = nulls;
}

ARIADNE_FUNCTION void parse_text(const parse_text_args& args) {
  with_type(args.type, [&](auto type) { parse_all(args, type); });
}

}  // namespace text
