// sort_encode writes one field of the normalised keys of rows: words of 64 bits that, compared as
// unsigned integers from the first to the last, are in the order of the rows. Word w of row r lies
// at words[w * stride + r]. A field is a bit that tells nulls from values, or up to 64 bits of a
// value; one launch per field. Values compare as Spark has it: NaN is the largest, -0.0 equals 0.0,
// strings by unsigned bytes (SortOrder, SQLOrderingUtil).
#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"
#include "element/floating.cuh"

enum sort_part : u32 {
  SORT_NULL = 0,   // one bit: whether the row sorts behind the other kind (null or value)
  SORT_VALUE = 1,  // a boolean, an integer of at most 64 bits, a float
  SORT_HIGH = 2,   // the upper half of an integer of at most 128 bits, with its sign
  SORT_LOW = 3,    // the lower half
  SORT_PREFIX = 4  // 8 bytes of a string, the first one on top; zeros behind its end
};

enum sort_flag : u32 {
  SORT_REPLACES = 1,    // the first field of its word; others are added to what is there
  SORT_DESCENDING = 2,  // values are inverted
  SORT_NULLS_LAST = 4
};

// Arguments of kernel sort_encode. It raises no errors. The field of a null value is 0.
struct sort_encode_args {
  kernel_status* status;
  column_view in;
  u64* out;  // one word per row
  u32 rows;
  u32 part;   // sort_part
  u32 bits;   // of the field: 1, 8, 16, 32 or 64
  u32 shift;  // its lowest bit in the word
  u32 skip;   // SORT_PREFIX: bytes of the string before
  u32 flags;  // sort_flag
};

namespace sort {

// The integer whose unsigned order of `bits` bits is that of the signed value.
ARIADNE_INLINE u64 ordered(i64 value, u32 bits) {
  const u64 mask = ~u64{0} >> (64 - bits);
  return (static_cast<u64>(value) ^ u64{1} << (bits - 1)) & mask;
}

ARIADNE_INLINE u64 ordered(f64 value) {
  return static_cast<u64>(element::order_key(element::normalize(value))) ^ element::kSignBit;
}

ARIADNE_INLINE u64 ordered(f32 value) {
  const f32 normal = value == 0.0f ? 0.0f : value;
  const u32 bits = value != value ? 0x7fc00000u : __builtin_bit_cast(u32, normal);
  return bits >> 31 != 0 ? ~bits : bits | 1u << 31;
}

// Eight bytes of a string from `skip` on.
ARIADNE_INLINE u64 prefix_of(const column_view& in, u32 row, u32 skip) {
  const string_view* view = static_cast<const string_view*>(in.data) + row;
  const u32 length = static_cast<u32>(view->length);
  if (length <= skip) {
    return 0;
  }
  const u8* bytes = column::characters(view, in.heaps) + skip;
  const u32 count = length - skip < 8 ? length - skip : 8;
  u64 word = 0;
  if (count == 8) {
    for (u32 i = 0; i < 8; i++) {
      word = word << 8 | bytes[i];
    }
    return word;
  }
  for (u32 i = 0; i < count; i++) {
    word |= static_cast<u64>(bytes[i]) << (56 - 8 * i);
  }
  return word;
}

// What is read of a row: T is the type of the values, or bool, or string_view.
template <typename T>
struct values {
  const sort_encode_args& args;

  ARIADNE_MEMBER u64 operator()(u32 row) const {
    const T value = target::load_ro(static_cast<const T*>(args.in.data) + row);
    if constexpr (__is_same(T, f32) || __is_same(T, f64)) {
      return ordered(value);
    } else {
      const i64 wide = value;
      return args.part == SORT_VALUE  ? ordered(wide, args.bits)
             : args.part == SORT_HIGH ? ordered(wide >> 63, 64)
                                      : static_cast<u64>(wide);
    }
  }
};

template <>
struct values<bool> {
  const sort_encode_args& args;

  ARIADNE_MEMBER u64 operator()(u32 row) const {
    return target::load_ro(static_cast<const u32*>(args.in.data) + row / 32) >> row % 32 & 1;
  }
};

template <>
struct values<i128> {
  const sort_encode_args& args;

  ARIADNE_MEMBER u64 operator()(u32 row) const {
    const u64* halves = static_cast<const u64*>(args.in.data) + u64{row} * 2;
    if (args.part == SORT_HIGH) {
      return target::load_ro(halves + 1) ^ element::kSignBit;
    }
    const u64 low = target::load_ro(halves);
    return args.part == SORT_VALUE ? ordered(static_cast<i64>(low), args.bits) : low;
  }
};

template <>
struct values<string_view> {
  const sort_encode_args& args;

  ARIADNE_MEMBER u64 operator()(u32 row) const { return prefix_of(args.in, row, args.skip); }
};

}  // namespace sort

#include ARIADNE_TARGET_FILE(sort, sort_encode)

namespace sort {

ARIADNE_FUNCTION void encode(const sort_encode_args& args) {
  if (args.part == SORT_NULL) {
    encode_nulls(args);
    return;
  }
  switch (args.in.kind) {
    case column_kind::boolean:
      encode_values(args, values<bool>{args});
      break;
    case column_kind::i8:
      encode_values(args, values<i8>{args});
      break;
    case column_kind::i16:
      encode_values(args, values<i16>{args});
      break;
    case column_kind::i32:
      encode_values(args, values<i32>{args});
      break;
    case column_kind::i64:
      encode_values(args, values<i64>{args});
      break;
    case column_kind::f32:
      encode_values(args, values<f32>{args});
      break;
    case column_kind::f64:
      encode_values(args, values<f64>{args});
      break;
    case column_kind::i128:
      encode_values(args, values<i128>{args});
      break;
    case column_kind::view16:
      encode_values(args, values<string_view>{args});
      break;
  }
}

}  // namespace sort
