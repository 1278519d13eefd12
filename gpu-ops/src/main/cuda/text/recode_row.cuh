// Functions that make other characters of the characters of a text, or of a number.
//
// Source: UTF8String.translate, toTitleCase; Hex, Chr and Bin of Spark (3.5 and 4.1);
// java.util.Base64 (JDK 17), its MIME encoder and decoder.
#pragma once

#include "text/produce_row.cuh"

namespace text {

// Steps for one row beyond which Spark's code, which hashes, is faster.
inline constexpr u64 kMostSteps = 1 << 24;

// As UTF-8; no surrogate.
template <typename Sink>
ARIADNE_INLINE void put_code_point(u32 value, Sink& sink) {
  if (value < 0x80) {
    sink.put(static_cast<u8>(value));
    return;
  }
  if (value < 0x800) {
    sink.put(static_cast<u8>(0xc0 | value >> 6));
  } else {
    if (value < 0x10000) {
      sink.put(static_cast<u8>(0xe0 | value >> 12));
    } else {
      sink.put(static_cast<u8>(0xf0 | value >> 18));
      sink.put(static_cast<u8>(0x80 | (value >> 12 & 0x3f)));
    }
    sink.put(static_cast<u8>(0x80 | (value >> 6 & 0x3f)));
  }
  sink.put(static_cast<u8>(0x80 | (value & 0x3f)));
}

inline constexpr u32 kKept = ~0u;

// The code point that replaces `value`: that of `to` at the position of the first `value` in
// `from`; 0, so that nothing is written, when `to` is shorter; kKept when `from` lacks `value`.
template <typename B, typename C>
ARIADNE_INLINE u32 translation_of(u32 value, B& from, C& to) {
  u32 next = 0;
#pragma clang loop unroll(disable)
  for (u32 place = 0; place < from.length;) {
    const element::code_point point = decode_at(from, place);
    element::code_point other = {0, 0};
    if (next < to.length) {
      other = decode_at(to, next);
    }
    if (point.value == value) {
      return other.value;
    }
    place += point.bytes;
    next += other.bytes;
  }
  return kKept;
}

// Malformed bytes become replacement characters.
template <typename A, typename B, typename C, typename Sink>
ARIADNE_INLINE void translate(A& a, B& from, C& to, Sink& sink) {
  if (static_cast<u64>(a.length) * from.length > kMostSteps) {
    sink.is_covered = false;
    return;
  }
#pragma clang loop unroll(disable)
  for (u32 place = 0; place < a.length;) {
    const element::code_point point = decode_at(a, place);
    const u32 other = translation_of(point.value, from, to);
    place += point.bytes;
    if (other != 0) {
      put_code_point(other == kKept ? point.value : other, sink);
    }
  }
}

template <typename A, typename Sink>
ARIADNE_INLINE void capitalize(A& a, Sink& sink) {
  u8 previous = ' ';
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < a.length; i++) {
    const u8 byte = a.byte(i);
    sink.is_covered &= byte < 0x80;
    const u8 first = previous == ' ' ? 'a' : 'A';
    sink.put(static_cast<u8>(static_cast<u8>(byte - first) < 26 ? byte ^ 0x20 : byte));
    previous = byte;
  }
}

ARIADNE_INLINE u8 base64_character(u32 digit) {
  if (digit < 52) {
    return static_cast<u8>(digit < 26 ? 'A' + digit : 'a' + digit - 26);
  }
  return static_cast<u8>(digit < 62 ? '0' + digit - 52 : (digit == 62 ? '+' : '/'));
}

// 64 when it is no digit.
ARIADNE_INLINE u32 base64_digit(u8 character) {
  const u8 upper = static_cast<u8>(character - 'A');
  const u8 lower = static_cast<u8>(character - 'a');
  const u8 figure = static_cast<u8>(character - '0');
  if (upper < 26 || lower < 26) {
    return upper < 26 ? upper : lower + 26u;
  }
  if (figure < 10) {
    return figure + 52u;
  }
  return character == '+' ? 62 : (character == '/' ? 63 : 64);
}

template <typename A, typename Sink>
ARIADNE_INLINE void base64(A& a, u32 line, Sink& sink) {
  u32 column = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < a.length; i += 3) {
    const u32 left = a.length - i;
    const u32 second = left > 1 ? a.byte(i + 1) : 0;
    const u32 third = left > 2 ? a.byte(i + 2) : 0;
    const u32 bits = static_cast<u32>(a.byte(i)) << 16 | second << 8 | third;
    if (line != 0 && column == line) {
      sink.put('\r');
      sink.put('\n');
      column = 0;
    }
    sink.put(base64_character(bits >> 18));
    sink.put(base64_character(bits >> 12 & 63));
    sink.put(left > 1 ? base64_character(bits >> 6 & 63) : '=');
    sink.put(left > 2 ? base64_character(bits & 63) : '=');
    column += 4;
  }
}

// Counted without walking.
template <typename A>
ARIADNE_INLINE void base64(A& a, u32 line, counting_sink& sink) {
  const u64 characters = (a.length + 2ull) / 3 * 4;
  sink.length += characters;
  if (line != 0 && characters != 0) {
    sink.length += (characters - 1) / line * 2;
  }
}

// Passes over what is no digit. What Java's decoder refuses is not covered.
template <typename A, typename Sink>
ARIADNE_INLINE void unbase64(A& a, Sink& sink) {
  u32 bits = 0;
  u32 digits = 0;
  u32 place = 0;
  bool is_open = true;
#pragma clang loop unroll(disable)
  while (is_open && place < a.length) {
    const u8 character = a.byte(place++);
    const u32 digit = base64_digit(character);
    if (digit < 64) {
      bits = bits << 6 | digit;
      digits++;
    } else if (character == '=') {
      is_open = false;
    }
    if (digits == 4) {
      sink.put(static_cast<u8>(bits >> 16));
      sink.put(static_cast<u8>(bits >> 8));
      sink.put(static_cast<u8>(bits));
      bits = 0;
      digits = 0;
    }
  }
  if (!is_open) {
    sink.is_covered &= digits != 0 && (digits != 2 || (place < a.length && a.byte(place) == '='));
  }
  sink.is_covered &= digits != 1;
  if (digits == 2) {
    sink.put(static_cast<u8>(bits >> 4));
  } else if (digits == 3) {
    sink.put(static_cast<u8>(bits >> 10));
    sink.put(static_cast<u8>(bits >> 2));
  }
#pragma clang loop unroll(disable)
  for (; place < a.length; place++) {
    sink.is_covered &= base64_digit(a.byte(place)) == 64;
  }
}

// 16 when it is no digit.
ARIADNE_INLINE u32 hex_value(u8 character) {
  const u8 figure = static_cast<u8>(character - '0');
  const u8 letter = static_cast<u8>((character | 0x20) - 'a');
  return figure < 10 ? figure : (letter < 6 ? letter + 10u : 16u);
}

// A digit alone comes first.
template <typename A, typename Sink>
ARIADNE_INLINE void unhex(A& a, Sink& sink) {
  u32 byte = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < a.length; i++) {
    const u32 value = hex_value(a.byte(i));
    sink.is_null |= value == 16;
    byte = byte << 4 | value;
    if ((a.length - i) % 2 == 1) {
      sink.put(static_cast<u8>(byte));
      byte = 0;
    }
  }
}

// Digits of a number, `bits` bits each, without leading zeros.
template <typename Sink>
ARIADNE_INLINE void put_digits(u64 number, u32 bits, Sink& sink) {
  u32 shift = 64 - bits;
#pragma clang loop unroll(disable)
  while (shift > 0 && number >> shift == 0) {
    shift -= bits;
  }
#pragma clang loop unroll(disable)
  for (u32 place = shift + bits; place > 0; place -= bits) {
    sink.put(hex_digit(static_cast<u32>(number >> (place - bits)) & ((1u << bits) - 1)));
  }
}

// As composing, of recode_lengths and recode_text.
struct recoding {
  template <typename Texts, typename Has, typename Sink>
  ARIADNE_MEMBER static void make(const produce_text_args& args, Texts texts, Has, i64 number,
                                  Sink& sink) {
    const u32 operation = args.operation;
    if (operation == PRODUCE_CHARACTER) {
      if (number >= 0) {
        put_code_point(static_cast<u32>(number & 0xff), sink);
      }
      return;
    }
    if (operation == PRODUCE_DIGITS_16 || operation == PRODUCE_DIGITS_2) {
      put_digits(static_cast<u64>(number), operation == PRODUCE_DIGITS_16 ? 4 : 1, sink);
      return;
    }
    auto a = texts(0);
    switch (operation) {
      case PRODUCE_TRANSLATE: {
        auto from = texts(1);
        auto to = texts(2);
        translate(a, from, to, sink);
        break;
      }
      case PRODUCE_INITCAP:
        capitalize(a, sink);
        break;
      case PRODUCE_BASE64:
        base64(a, static_cast<u32>(number), sink);
        break;
      case PRODUCE_UNBASE64:
        unbase64(a, sink);
        break;
      case PRODUCE_UNHEX:
        unhex(a, sink);
        break;
      case PRODUCE_WELL_FORMED:
        sink.is_covered &= is_well_formed(a);
        copy_all(a, sink);
        break;
      default:
        sink.is_covered = false;
    }
  }
};

}  // namespace text
