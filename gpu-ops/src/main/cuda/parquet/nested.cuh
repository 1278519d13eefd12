// Levels of a nested column to the parts of an Arrow column: offsets of a list, validity of a list,
// a struct or a leaf.
//
// A nested column's levels have one entry per value or per place where a value is missing. Entry i
// begins a slot of a node when its repetition level is not above that of the node's nearest
// repeated ancestor and its definition level says that this ancestor's element exists. A list's
// slots and its elements are two such sets; a slot's offset is the number of elements before it.
//
// Host: 64 entries at a time as masks. GPU: one pass, the two counts in one word of a look-back.
//
// Source: S. Melnik et al., "Dremel: Interactive Analysis of Web-Scale Datasets", VLDB 2010;
// Apache Parquet format, README.md, "Nested Encoding"; Apache Arrow columnar format.
#pragma once

#include "parquet/task.cuh"

// Error PARQUET_ERROR_LEVEL, row = entry: the first entry repeats, or an entry continues a list
// whose element does not exist; raised for repetitions at element_repetition only. rows_out =
// slots; detail[0] = elements, detail[1] = slots that are valid.
struct parquet_nested_args {
  kernel_status* status;
  const u8* repetition;    // per entry; null: all 0
  const u8* definition;    // per entry
  i32* offsets;            // slots + 1; null: not a list
  u64* validity;           // bit per slot, zeroed by the caller; null: all valid
  u64* workspace;          // GPU: 1 + ceil(count / (4 * block)) zeroed words; host: not used
  u32 count;               // entries, below 2^31
  u32 slot_repetition;     // an entry begins a slot if its levels are at most ...
  u32 slot_definition;     // ... and at least these
  u32 element_repetition;  // the same for an element
  u32 element_definition;
  u32 valid_definition;  // a slot is valid if its definition level is at least this
  u32 may_continue;      // whether entries may come before the first that begins a row
  u32 reserved;
};

namespace nested {

inline constexpr u32 kCountBits = 31;

ARIADNE_INLINE bool is_slot(const parquet_nested_args& args, u32 repetition, u32 definition) {
  return repetition <= args.slot_repetition && definition >= args.slot_definition;
}

ARIADNE_INLINE bool is_element(const parquet_nested_args& args, u32 repetition, u32 definition) {
  return repetition <= args.element_repetition && definition >= args.element_definition;
}

// Whether an entry cannot follow one with the definition level `previous`.
ARIADNE_INLINE bool is_wrong(const parquet_nested_args& args, u32 repetition, u32 definition,
                             u32 previous) {
  return repetition != 0 && repetition == args.element_repetition &&
         (definition < args.element_definition || previous < args.element_definition);
}

// Whether the first entry wrongly continues a row that began before it.
ARIADNE_INLINE bool is_wrong_start(const parquet_nested_args& args, u32 repetition) {
  return repetition != 0 && args.may_continue == 0;
}

ARIADNE_INLINE void finish(const parquet_nested_args& args, u32 slots, u32 elements) {
  if (args.offsets != nullptr) {
    args.offsets[slots] = static_cast<i32>(elements);
  }
  args.status->rows_out = slots;
  args.status->detail[0] = elements;
}

}  // namespace nested

#include ARIADNE_TARGET_FILE(parquet, nested)
