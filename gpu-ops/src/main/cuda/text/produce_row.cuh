// The string of a row, put into a sink; shared by both passes and all targets. See recode_row.cuh
// for functions of the characters of a text.
#pragma once

#include "text/parts.cuh"
#include "text/text.cuh"

namespace text {

// Counts what is put.
struct counting_sink {
  u64 length;
  bool is_covered;
  bool is_null;

  ARIADNE_MEMBER void put(u8) { length++; }
  template <typename A>
  ARIADNE_MEMBER void copy(A&, u32 from, u32 to) {
    length += to - from;
  }
};

template <typename A, typename Sink>
ARIADNE_INLINE void copy_all(A& a, Sink& sink) {
  sink.copy(a, 0, a.length);
}

template <typename A, typename Sink>
ARIADNE_INLINE void copy_times(A& a, i64 times, Sink& sink) {
#pragma clang loop unroll(disable)
  for (i64 i = 0; i < times; i++) {
    copy_all(a, sink);
  }
}

// Counted without walking: a length that no string can have is found at once.
template <typename A>
ARIADNE_INLINE void copy_times(A& a, i64 times, counting_sink& sink) {
  sink.length += times > 0 ? static_cast<u64>(times) * a.length : 0;
}

// Changes the case of the letters from `first` on, 26 of them, by flipping bit 5.
template <typename A, typename Sink>
ARIADNE_INLINE void change_case(A& a, u8 first, Sink& sink) {
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < a.length; i++) {
    const u8 byte = a.byte(i);
    sink.is_covered &= byte < 0x80;
    sink.put(static_cast<u8>(static_cast<u8>(byte - first) < 26 ? byte ^ 0x20 : byte));
  }
}

// The last character first. A last one that lacks bytes is not covered.
template <typename A, typename Sink>
ARIADNE_INLINE void reverse(A& a, Sink& sink) {
  u32 end = a.length;
#pragma clang loop unroll(disable)
  while (end > 0) {
    u32 begin = end - 1;
#pragma clang loop unroll(disable)
    while (begin > 0 && element::is_continuation(a.byte(begin)) && end - begin < 4) {
      begin--;
    }
    sink.is_covered &= element::character_bytes(a.byte(begin)) == end - begin;
    sink.copy(a, begin, end);
    end = begin;
  }
}

template <typename A, typename B, typename Sink>
ARIADNE_INLINE void pad(A& a, i32 wanted, B& padding, bool is_left, Sink& sink) {
  const i64 spaces = static_cast<i64>(wanted) - characters(a);
  if (spaces <= 0 || padding.length == 0) {
    sink.copy(a, 0, skip_characters(a, 0, wanted));
    return;
  }
  if (!is_left) {
    copy_all(a, sink);
  }
  const i32 each = characters(padding);
  const u32 whole = static_cast<u32>(spaces) / static_cast<u32>(each);
  copy_times(padding, whole, sink);
  sink.copy(padding, 0, skip_characters(padding, 0, spaces - i64{whole} * each));
  if (is_left) {
    copy_all(a, sink);
  }
}

template <typename A, typename B, typename C, typename Sink>
ARIADNE_INLINE void replace(A& a, B& search, C& replacement, Sink& sink) {
  u32 begin = 0;
  u32 place = 0;
#pragma clang loop unroll(disable)
  while (search.length != 0 && static_cast<u64>(place) + search.length <= a.length) {
    if (matches_at(a, place, search)) {
      sink.copy(a, begin, place);
      copy_all(replacement, sink);
      place += search.length;
      begin = place;
    } else {
      place++;
    }
  }
  sink.copy(a, begin, a.length);
}

ARIADNE_INLINE u8 hex_digit(u32 value) {
  return static_cast<u8>(value < 10 ? '0' + value : 'A' + value - 10);
}

template <typename A, typename Sink>
ARIADNE_INLINE void hex(A& a, Sink& sink) {
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < a.length; i++) {
    const u8 byte = a.byte(i);
    sink.put(hex_digit(byte >> 4));
    sink.put(hex_digit(byte & 15));
  }
}

// Puts texts together, or parts of them. Of operand k, texts(k) is the value in the row, and has(k)
// says whether there is one.
struct composing {
  template <typename Texts, typename Has, typename Sink>
  ARIADNE_MEMBER static void make(const produce_text_args& args, Texts texts, Has has, i64 number,
                                  Sink& sink) {
    auto a = texts(0);
    switch (args.operation) {
      case PRODUCE_CONCAT:
        copy_all(a, sink);
#pragma clang loop unroll(disable)
        for (u32 k = 1; k < args.text_count; k++) {
          auto b = texts(k);
          copy_all(b, sink);
        }
        break;
      case PRODUCE_CONCAT_WITH_SEPARATOR: {
        bool is_first = true;
#pragma clang loop unroll(disable)
        for (u32 k = 1; k < args.text_count; k++) {
          if (has(k)) {
            sink.copy(a, 0, is_first ? 0 : a.length);
            auto b = texts(k);
            copy_all(b, sink);
            is_first = false;
          }
        }
        break;
      }
      case PRODUCE_UPPER:
        change_case(a, 'a', sink);
        break;
      case PRODUCE_LOWER:
        change_case(a, 'A', sink);
        break;
      case PRODUCE_REVERSE:
        reverse(a, sink);
        break;
      case PRODUCE_REPEAT:
        copy_times(a, number, sink);
        break;
      case PRODUCE_LPAD:
      case PRODUCE_RPAD: {
        auto padding = texts(1);
        const bool is_left = args.operation == PRODUCE_LPAD;
        pad(a, static_cast<i32>(number), padding, is_left, sink);
        break;
      }
      case PRODUCE_REPLACE: {
        auto search = texts(1);
        auto replacement = texts(2);
        replace(a, search, replacement, sink);
        break;
      }
      case PRODUCE_HEX:
        hex(a, sink);
        break;
      case PRODUCE_SPLIT_PART:
      case PRODUCE_SUBSTRING_INDEX: {
        auto delimiter = texts(1);
        const range part = args.operation == PRODUCE_SPLIT_PART
                               ? split_part(a, delimiter, number, sink.is_covered)
                               : substring_index(a, delimiter, number, sink.is_covered);
        sink.copy(a, part.from, part.to);
        break;
      }
      default:
        sink.is_covered = false;
    }
  }
};

// Row of an operand's column.
ARIADNE_INLINE u32 row_of(const produce_input& input, u32 row) {
  if (input.is_constant != 0) {
    return 0;
  }
  return input.codes == nullptr ? row : target::load_ro(input.codes + row);
}

ARIADNE_INLINE i64 number_of(const produce_input& input, u32 row) {
  if (input.column.data == nullptr) {
    return 0;
  }
  const u32 at = row_of(input, row);
  return input.column.kind == column_kind::i64
             ? target::load_ro(static_cast<const i64*>(input.column.data) + at)
             : target::load_ro(static_cast<const i32*>(input.column.data) + at);
}

// Bits of 64 rows: those in which an operand has a value.
ARIADNE_INLINE u64 valid_word(const produce_input& input, u32 word) {
  return input.validity == nullptr ? ~0ull : target::load_ro(input.validity + word);
}

// The same of all operands that have to have one.
ARIADNE_INLINE u64 made_word(const produce_text_args& args, u32 word) {
  u64 bits = valid_word(args.number, word);
  const u32 count = args.operation == PRODUCE_CONCAT_WITH_SEPARATOR ? 1 : args.text_count;
#pragma clang loop unroll(disable)
  for (u32 k = 0; k < count; k++) {
    bits &= valid_word(args.texts[k % PRODUCE_MAX_TEXTS], word);
  }
  return bits;
}

ARIADNE_INLINE bool has_value(const produce_input& input, u32 row) {
  return (valid_word(input, row / 64) >> row % 64 & 1) != 0;
}

// What the first pass leaves of a row.
ARIADNE_INLINE void finish_length(const produce_text_args& args, u32 row,
                                  const counting_sink& sink) {
  if (!sink.is_covered) {
    status::raise(args.status, row, 0, PRODUCE_ERROR_NOT_COVERED);
  } else if (sink.length > 0x7fffffff) {
    status::raise(args.status, row, 0, PRODUCE_ERROR_TOO_LONG);
  }
  const u32 length = sink.is_null ? 0 : static_cast<u32>(sink.length);
  args.out[row].length = length > column::kInlineLength ? static_cast<i32>(length) : 0;
  args.out[row].prefix = length;
}

}  // namespace text
