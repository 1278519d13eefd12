// Host form of sort_ties: insertion sort of short ranges, then merges.
#pragma once

namespace sort {

inline constexpr u32 kInsertionRows = 12;
inline constexpr u32 kPollRows = 1 << 12;

ARIADNE_FUNCTION void insert_rows(const sort_ties_args& args, u32* rows, u32 count) {
  for (u32 i = 1; i < count; i++) {
    const u32 row = rows[i];
    u32 at = i;
    for (; at > 0 && compare_rows(args, rows[at - 1], row) > 0; at--) {
      rows[at] = rows[at - 1];
    }
    rows[at] = row;
  }
}

ARIADNE_FUNCTION void merge_rows(const sort_ties_args& args, const u32* from, u32* to, u32 middle,
                                 u32 count) {
  u32 left = 0;
  u32 right = middle;
  for (u32 at = 0; at < count; at++) {
    const bool takes_left =
        right == count || (left < middle && compare_rows(args, from[left], from[right]) <= 0);
    to[at] = takes_left ? from[left++] : from[right++];
  }
}

// Sorts a group of rows; `scratch` has as many entries as `rows`.
ARIADNE_FUNCTION void sort_group(const sort_ties_args& args, u32* rows, u32* scratch, u32 count) {
  for (u32 first = 0; first < count; first += kInsertionRows) {
    insert_rows(args, rows + first,
                count - first < kInsertionRows ? count - first : kInsertionRows);
  }
  u32* from = rows;
  u32* to = scratch;
  for (u64 width = kInsertionRows; width < count; width *= 2) {
    if (status::cancelled(args.status)) {
      break;
    }
    for (u64 first = 0; first < count; first += 2 * width) {
      const u32 length = static_cast<u32>(count - first < 2 * width ? count - first : 2 * width);
      const u32 middle = length < width ? length : static_cast<u32>(width);
      merge_rows(args, from + first, to + first, middle, length);
    }
    u32* const other = from;
    from = to;
    to = other;
  }
  for (u32 i = 0; from != rows && i < count; i++) {
    rows[i] = from[i];
  }
}

ARIADNE_INLINE bool is_tie(const sort_ties_args& args, u32 a, u32 b) {
  for (u32 w = 0; w < args.packed_words; w++) {
    const u64* packed = args.packed + w * args.stride;
    if (packed[a] != packed[b]) {
      return false;
    }
  }
  return true;
}

ARIADNE_FUNCTION void sort_ties(const sort_ties_args& args) {
  u32 first = 0;
  for (u32 end = 1; end <= args.rows; end++) {
    if (end % kPollRows == 0 && status::cancelled(args.status)) {
      return;
    }
    if (end == args.rows || !is_tie(args, args.row_numbers[first], args.row_numbers[end])) {
      if (end - first > 1) {
        sort_group(args, args.row_numbers + first, args.sorted, end - first);
      }
      first = end;
    }
  }
}

}  // namespace sort
