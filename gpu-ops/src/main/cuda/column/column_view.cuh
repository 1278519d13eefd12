// One column of a batch as kernels see it: pointers and a kind, no ownership. Passed by value
// inside argument structs; Java fills it through the generated layout class.
#pragma once

#include "target/target.cuh"

// Physical kinds. Logical meaning (date, decimal scale, ...) is the caller's.
enum class column_kind : u32 {
  boolean = 1,  // one bit per row, least significant bit first
  i8 = 2,
  i16 = 3,
  i32 = 4,
  i64 = 5,
  i128 = 6,  // 16-byte aligned, two's complement, low half first
  f32 = 7,
  f64 = 8,
  view16 = 9  // Arrow string view: see string_view
};

// Buffers are 64-byte aligned and padded to a multiple of 64 bytes; the padding may be read.
struct alignas(16) column_view {
  const void* data;
  const u64* validity;       // bit set = value present; null pointer = no nulls
  const void* const* heaps;  // view16 only: base addresses of the character buffers
  column_kind kind;
  u32 heap_count;
};

// Arrow's BinaryView layout (Arrow columnar format, "Variable-size Binary View Layout").
struct alignas(16) string_view {
  i32 length;
  u32 prefix;  // first four bytes; for length <= 12 the next two fields hold the other bytes
  u32 heap;
  u32 offset;
};
static_assert(sizeof(string_view) == 16 && sizeof(column_view) == 32);

namespace column {

inline constexpr u32 kInlineLength = 12;

// Bytes per row of a kind other than boolean.
ARIADNE_INLINE u32 width_in_bytes(column_kind kind) {
  switch (kind) {
    case column_kind::i8:
      return 1;
    case column_kind::i16:
      return 2;
    case column_kind::i32:
    case column_kind::f32:
      return 4;
    case column_kind::i64:
    case column_kind::f64:
      return 8;
    case column_kind::i128:
    case column_kind::view16:
      return 16;
    case column_kind::boolean:
      break;
  }
  return 0;
}

ARIADNE_INLINE const u64* words(const column_view& view) {
  return static_cast<const u64*>(view.data);
}

// First byte of the string; `view` lies in memory when it is inline.
ARIADNE_INLINE const u8* characters(const string_view* view, const void* const* heaps) {
  if (static_cast<u32>(view->length) <= kInlineLength) {
    return reinterpret_cast<const u8*>(&view->prefix);
  }
  return static_cast<const u8*>(target::load_ro(heaps + view->heap)) + view->offset;
}

// Whether the row has a value; `row` is below the row count.
ARIADNE_INLINE bool is_valid(const column_view& view, u32 row) {
  return view.validity == nullptr || (target::load_ro(view.validity + row / 64) >> row % 64 & 1);
}

}  // namespace column
