// Host form; included by produce.cuh only.
#pragma once

#include "text/produce_row.cuh"
#include "text/text.host.cuh"

namespace text {

inline constexpr u32 kPollRows = 1 << 12;

// Writes to memory.
struct writing_sink {
  u8* at;
  bool is_covered;

  ARIADNE_MEMBER void put(u8 byte) { *at++ = byte; }
  ARIADNE_MEMBER void copy(const memory_text& a, u32 from, u32 to) {
    __builtin_memcpy(at, a.at + from, to - from);
    at += to - from;
  }
};

// Calls body(texts, number) for a row; the texts are of up to three operands but for CONCAT, which
// takes one at a time after the first.
template <typename Body>
ARIADNE_INLINE void with_operands(const produce_text_args& args, u32 row, Body body) {
  u64 rooms[4][2];
  const auto texts = [&](u32 k) {
    const produce_input& input = args.texts[k % PRODUCE_MAX_TEXTS];
    const i64* view = static_cast<const i64*>(input.column.data) + 2ull * row_of(input, row);
    return of_view(view[0], view[1], input.column.heaps, rooms[k < 3 ? k : 3]);
  };
  body(texts, number_of(args.number, row));
}

ARIADNE_FUNCTION void produce_lengths(const produce_text_args& args) {
  for (u32 word = 0; args.validity != nullptr && word < (args.rows + 63) / 64; word++) {
    args.validity[word] = made_word(args, word);
  }
  for (u32 row = 0; row < args.rows; row++) {
    if (row % kPollRows == 0 && status::cancelled(args.status)) {
      return;
    }
    counting_sink sink = {0, true};
    if (is_made(args, row)) {
      with_operands(args, row, [&](auto texts, i32 number) {
        produce(args.operation, args.text_count, texts, number, sink);
      });
    }
    finish_length(args, row, sink);
  }
}

ARIADNE_FUNCTION void produce_text(const produce_text_args& args) {
  for (u32 row = 0; row < args.rows; row++) {
    if (row % kPollRows == 0 && status::cancelled(args.status)) {
      return;
    }
    const u32 length = args.out[row].prefix;
    const u32 offset = static_cast<u32>(args.offsets[row]);
    const bool is_long = length > column::kInlineLength;
    u8 room[16] = {};
    u8* at = is_long ? args.heap + offset : room;
    if (length != 0) {
      writing_sink sink = {at, true};
      with_operands(args, row, [&](auto texts, i32 number) {
        produce(args.operation, args.text_count, texts, number, sink);
      });
    }
    string_view view = {static_cast<i32>(length), 0, 0, offset};
    __builtin_memcpy(&view.prefix, at, is_long ? sizeof(view.prefix) : column::kInlineLength);
    args.out[row] = view;
  }
}

}  // namespace text
