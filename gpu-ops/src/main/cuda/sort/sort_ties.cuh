// sort_ties completes an order of rows by the first bits of their keys: rows that have these bits
// in common are compared as a whole, strings by all their bytes. Stable.
//
// Host: one launch sorts each group of rows with equal bits where it is; `sorted` is scratch.
// GPU: a launch merges pairs of neighbouring ranges of `width` rows, which are in order, from
// `row_numbers` into `sorted`: each row finds its place by a search in the other range. The caller
// begins with 1, doubles the width and swaps until one range is left.
#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"

enum ties_limit : u32 { TIES_MAX_ITEMS = 32, TIES_MAX_PACKED = 8 };

// A part of the keys, in order: words, then perhaps a string, which counts where it is not null.
struct ties_item {
  column_view strings;  // no data: none
  u32 first_word;
  u32 end_word;
  u32 is_descending;
  u32 reserved;
};

// Arguments of kernel sort_ties. It raises no errors.
struct sort_ties_args {
  kernel_status* status;
  const u64* words;   // of the keys: see sort_encode.cuh
  const u64* packed;  // host only: packed_words words that are in order already; same stride
  u64 stride;
  u32* row_numbers;
  u32* sorted;
  u32 rows;
  u32 packed_words;
  u32 width;  // GPU only
  u32 item_count;
  ties_item items[TIES_MAX_ITEMS];
};

#include ARIADNE_TARGET_FILE(sort, sort_ties_bytes)

namespace sort {

ARIADNE_INLINE i32 compare_strings(const column_view& strings, u32 a, u32 b) {
  const string_view* views = static_cast<const string_view*>(strings.data);
  const u32 a_length = static_cast<u32>(views[a].length);
  const u32 b_length = static_cast<u32>(views[b].length);
  const u32 common = a_length < b_length ? a_length : b_length;
  const i32 order = compare_bytes(column::characters(views + a, strings.heaps),
                                  column::characters(views + b, strings.heaps), common);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

// Below 0, 0 or above 0 as row a comes before, with or behind row b.
ARIADNE_FUNCTION i32 compare_rows(const sort_ties_args& args, u32 a, u32 b) {
  for (u32 i = 0; i < args.item_count; i++) {
    const ties_item& item = args.items[i];
    for (u32 w = item.first_word; w < item.end_word; w++) {
      const u64* words = args.words + w * args.stride;
      const u64 a_word = target::load_ro(words + a);
      const u64 b_word = target::load_ro(words + b);
      if (a_word != b_word) {
        return a_word < b_word ? -1 : 1;
      }
    }
    if (item.strings.data != nullptr && column::is_valid(item.strings, a)) {
      const i32 order = compare_strings(item.strings, a, b);
      if (order != 0) {
        return item.is_descending != 0 ? -order : order;
      }
    }
  }
  return 0;
}

}  // namespace sort

#include ARIADNE_TARGET_FILE(sort, sort_ties)
