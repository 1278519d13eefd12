#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"

// group_pick keeps one of the values of each group: the least or greatest string, by bytes,
// unsigned, or the value of the first or last row, of any kind of column. Picks do not depend on
// the order in which rows are looked at: first and last compare row numbers.
//
// A pick is a picked_value in the group's record. Strings of more than 12 bytes lie in a heap that
// the caller owns, one for all picks of a table. PICK_UPDATE reads the rows of a batch, or the
// picks of another table's records. A long string that it picks first stays where it is
// (PICK_FOREIGN), and the launch sets status.needed = 1. The caller then launches PICK_SIZE, which
// adds the bytes of foreign strings to status.detail[0] and those in the heap to status.detail[1],
// both padded to words. It grows the heap, or allocates a new one, and launches PICK_SETTLE.
// PICK_SETTLE copies foreign strings to the heap from heap_used on, and to a new heap all picked
// strings, so that strings that are no longer picked are dropped. status.rows_out counts the bytes
// that PICK_SETTLE takes, over all launches that share a status.
enum pick_phase : u32 { PICK_UPDATE = 0, PICK_SIZE = 1, PICK_SETTLE = 2 };

enum pick_rule : u32 { PICK_LEAST = 0, PICK_GREATEST = 1, PICK_FIRST = 2, PICK_LAST = 3 };

enum pick_state : u32 {
  PICK_NOTHING = 0,
  PICK_VALUE = 1,
  PICK_NULL = 2,    // by first and last only
  PICK_FOREIGN = 3  // a long string; `high` is its address
};

// Integers are sign-extended, booleans 0 or 1, floats are doubles. A string is its view, a long
// one's `high` its place in the heap. Before there is a value, `low` and `order` are what
// everything is better than: the prefix 0xffffffff of the least string, the order 2^64 - 1 of the
// first row, 0 of others.
struct alignas(16) picked_value {
  u64 low;
  u64 high;
  u64 order;  // number of the row, above 0
  u32 state;  // pick_state
  u32 lock;   // for the GPU
};
static_assert(sizeof(picked_value) == 32);

// Arguments of kernel group_pick. It raises no errors.
struct group_pick_args {
  kernel_status* status;
  u8* records;            // of the groups; the pick is `offset` bytes from the start of each
  const u32* group_ids;   // the group of each row; null: group 0
  const u8* source;       // rows records with picks to take in, or null for the rows of `value`
  const u8* source_heap;  // long strings of `source`
  const u8* heap;         // long strings of `records`
  u8* target_heap;        // of PICK_SETTLE; the same as `heap`, or a new one
  u64 heap_used;          // bytes of target_heap
  u64 first_order;        // number of row 0
  u32 phase;              // pick_phase
  u32 rule;               // pick_rule
  u32 rows;               // rows; groups, for PICK_SIZE and PICK_SETTLE
  u32 stride;             // bytes of a record, a multiple of 16
  u32 offset;             // bytes, a multiple of 16
  u32 skips_nulls;        // 1: rows whose value is null do not count
  column_view value;      // with `source` only its kind
  column_view kept;       // boolean: rows that count, null is false; data null: all rows
};

namespace aggregate {

// A value that may be picked.
struct pick_candidate {
  u64 low;
  u64 high;
  u64 order;
  const u8* bytes;  // of a long string, else null
  bool is_null;
};

ARIADNE_INLINE bool is_text(const group_pick_args& args) {
  return args.value.kind == column_kind::view16;
}

ARIADNE_INLINE u32 text_length(u64 low) { return static_cast<u32>(low); }

// Bytes of a string in a heap, whose strings begin at words.
ARIADNE_INLINE u64 padded_length(u64 low) { return (u64{text_length(low)} + 7) & ~u64{7}; }

// The first bytes of a string in their order.
ARIADNE_INLINE u32 prefix_of(u64 low) { return __builtin_bswap32(static_cast<u32>(low >> 32)); }

// Whether the value is a string that lies in the heap.
ARIADNE_INLINE bool is_in_heap(const group_pick_args& args, u64 low, u32 state) {
  return state == PICK_VALUE && is_text(args) && text_length(low) > column::kInlineLength;
}

ARIADNE_INLINE picked_value* picked(const group_pick_args& args, u64 group) {
  return reinterpret_cast<picked_value*>(args.records + group * args.stride + args.offset);
}

// A value of at most 8 bytes.
ARIADNE_INLINE u64 narrow_value(const column_view& column, u32 row) {
  switch (column.kind) {
    case column_kind::boolean:
      return target::load_ro(column::words(column) + row / 64) >> row % 64 & 1;
    case column_kind::i8:
      return static_cast<u64>(target::load_ro(static_cast<const i8*>(column.data) + row));
    case column_kind::i16:
      return static_cast<u64>(target::load_ro(static_cast<const i16*>(column.data) + row));
    case column_kind::i32:
      return static_cast<u64>(target::load_ro(static_cast<const i32*>(column.data) + row));
    case column_kind::f32: {
      const f64 value = target::load_ro(static_cast<const f32*>(column.data) + row);
      return __builtin_bit_cast(u64, value);
    }
    default:
      return target::load_ro(column::words(column) + row);
  }
}

ARIADNE_INLINE bool is_kept(const group_pick_args& args, u32 row) {
  return args.kept.data == nullptr ||
         ((target::load_ro(column::words(args.kept) + row / 64) >> row % 64 & 1) != 0 &&
          column::is_valid(args.kept, row));
}

// The value of a row of the batch; false when the row does not count.
ARIADNE_INLINE bool candidate_of_row(const group_pick_args& args, u32 row, pick_candidate& out) {
  const bool is_null = !column::is_valid(args.value, row);
  if ((is_null && args.skips_nulls != 0) || !is_kept(args, row)) {
    return false;
  }
  out = {0, 0, args.first_order + row, nullptr, is_null};
  if (is_null) {
    return true;
  }
  if (column::width_in_bytes(args.value.kind) < sizeof(u64x2)) {
    out.low = narrow_value(args.value, row);
    return true;
  }
  const u64x2 pair = target::load_ro(static_cast<const u64x2*>(args.value.data) + row);
  out.low = pair.x;
  out.high = pair.y;
  if (is_text(args) && text_length(pair.x) > column::kInlineLength) {
    const void* heap = target::load_ro(args.value.heaps + static_cast<u32>(pair.y));
    out.bytes = static_cast<const u8*>(heap) + (pair.y >> 32);
  }
  return true;
}

// The pick of another table's record; false when it has none.
ARIADNE_INLINE bool candidate_of_record(const group_pick_args& args, u32 row, pick_candidate& out) {
  const u8* record = args.source + u64{row} * args.stride + args.offset;
  const picked_value* from = reinterpret_cast<const picked_value*>(record);
  const u32 state = target::load_ro(&from->state);
  const u64 low = target::load_ro(&from->low);
  const u64 high = target::load_ro(&from->high);
  out = {low, high, target::load_ro(&from->order), nullptr, state == PICK_NULL};
  if (is_in_heap(args, low, state)) {
    out.bytes = args.source_heap + high;
  }
  return state != PICK_NOTHING;
}

ARIADNE_INLINE bool candidate_of(const group_pick_args& args, u32 row, pick_candidate& out) {
  return args.source != nullptr ? candidate_of_record(args, row, out)
                                : candidate_of_row(args, row, out);
}

}  // namespace aggregate
