// Host form; included by produce.cuh only.
#pragma once

#include "text/produce_row.cuh"
#include "text/recode_row.cuh"
#include "text/text.host.cuh"

namespace text {

inline constexpr u32 kPollWords = 1 << 6;

// Writes to memory.
struct writing_sink {
  u8* at;
  bool is_covered;
  bool is_null;

  ARIADNE_MEMBER void put(u8 byte) { *at++ = byte; }
  ARIADNE_MEMBER void copy(const memory_text& a, u32 from, u32 to) {
    __builtin_memcpy(at, a.at + from, to - from);
    at += to - from;
  }
};

// Puts the string of a row; the texts are of up to three operands but for concatenations, which
// take one at a time after the first.
template <typename Rule, typename Sink>
ARIADNE_INLINE void produce_row(const produce_text_args& args, u32 row, Sink& sink) {
  u64 rooms[4][2];
  const auto texts = [&](u32 k) {
    const produce_input& input = args.texts[k % PRODUCE_MAX_TEXTS];
    const i64* view = static_cast<const i64*>(input.column.data) + 2ull * row_of(input, row);
    return of_view(view[0], view[1], input.column.heaps, rooms[k < 3 ? k : 3]);
  };
  const auto has = [&](u32 k) { return has_value(args.texts[k % PRODUCE_MAX_TEXTS], row); };
  Rule::make(args, texts, has, number_of(args.number, row), sink);
}

// 64 rows from `begin` on, fewer at the end, of which those in `made` have all operands; returns
// those that are not null.
template <typename Rule>
ARIADNE_INLINE u64 produce_lengths(const produce_text_args& args, u32 begin, u32 count, u64 made) {
  u64 valid = 0;
  for (u32 i = 0; i < count; i++) {
    counting_sink sink = {0, true, true};
    if ((made >> i & 1) != 0) {
      sink.is_null = false;
      produce_row<Rule>(args, begin + i, sink);
    }
    finish_length(args, begin + i, sink);
    valid |= static_cast<u64>(!sink.is_null) << i;
  }
  return valid;
}

template <typename Rule>
ARIADNE_INLINE void produce_lengths(const produce_text_args& args) {
  for (u32 word = 0; word < (args.rows + 63) / 64; word++) {
    if (word % kPollWords == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 rest = args.rows - word * 64;
    const u64 valid =
        produce_lengths<Rule>(args, word * 64, rest < 64 ? rest : 64, made_word(args, word));
    if (args.validity != nullptr) {
      args.validity[word] = valid;
    }
  }
}

template <typename Rule>
ARIADNE_INLINE void produce_text(const produce_text_args& args) {
  for (u32 row = 0; row < args.rows; row++) {
    if (row % (64 * kPollWords) == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 length = args.out[row].prefix;
    const u32 offset = static_cast<u32>(args.offsets[row]);
    const bool is_long = length > column::kInlineLength;
    u8 room[16] = {};
    u8* at = is_long ? args.heap + offset : room;
    if (length != 0) {
      writing_sink sink = {at, true, false};
      produce_row<Rule>(args, row, sink);
    }
    string_view view = {static_cast<i32>(length), 0, 0, offset};
    __builtin_memcpy(&view.prefix, at, is_long ? sizeof(view.prefix) : column::kInlineLength);
    args.out[row] = view;
  }
}

}  // namespace text
