// dense_groups on the host: loops over the values of one type that prefetch the entries of later
// rows.
#pragma once

#include "hash/dense_groups.cuh"

namespace hash {

inline constexpr u32 kDensePollRows = 1 << 14;
inline constexpr u32 kDenseAhead = 24;  // how many rows ahead entries are prefetched

template <typename T>
struct dense_values {
  const dense_groups_args& args;
  const T* data;

  ARIADNE_MEMBER bool is_valid(u32 row) const { return column::is_valid(args.key, row); }
  ARIADNE_MEMBER u64 at(u32 row) const { return static_cast<u64>(static_cast<i64>(data[row])); }
  ARIADNE_MEMBER u64 place(u32 row) const { return dense_place(args, at(row)); }

  // Brings the entry of a row that comes soon into the cache.
  ARIADNE_MEMBER void prefetch_after(u32 row) const {
    if (row + kDenseAhead < args.rows) {
      const u64 soon = place(row + kDenseAhead);
      __builtin_prefetch(args.entries + (soon < args.entry_count ? soon : 0));
    }
  }
};

ARIADNE_INLINE bool is_stopped(const dense_groups_args& args, u32 row) {
  return row % kDensePollRows == 0 && status::cancelled(args.status);
}

template <typename T>
static void find_range(const dense_values<T>& values) {
  u64 least = 0;  // of ~ordered(value), which is greatest where the value is least
  u64 greatest = 0;
  for (u32 row = 0; row < values.args.rows; row++) {
    if (values.is_valid(row)) {
      const u64 value = ordered(values.at(row));
      least = ~value > least ? ~value : least;
      greatest = value > greatest ? value : greatest;
    }
  }
  values.args.range[0] = least;
  values.args.range[1] = greatest;
}

template <typename T>
static void assign(const dense_values<T>& values) {
  const dense_groups_args& args = values.args;
  u32 groups = 0;
  for (u32 row = 0; row < args.rows && !is_stopped(args, row); row++) {
    values.prefetch_after(row);
    u32 group = row;
    if (values.is_valid(row)) {
      u32& entry = args.entries[values.place(row)];
      entry = entry == 0 ? ~row : entry;
      group = ~entry;
    }
    args.group_ids[row] = group;
    groups += group == row ? 1 : 0;
  }
  args.status->rows_out = groups;
}

template <typename T>
static void find(const dense_values<T>& values) {
  const dense_groups_args& args = values.args;
  for (u32 row = 0; row < args.rows && !is_stopped(args, row); row++) {
    values.prefetch_after(row);
    const u64 place = values.place(row);
    const u32 entry = place < args.entry_count ? args.entries[place] : 0;
    const u32 group = entry == 0 ? GROUP_NONE : ~entry;
    args.group_ids[row] = values.is_valid(row) ? group : GROUP_NULL_KEY;
  }
}

template <typename T>
static void run_over(const dense_groups_args& args) {
  const dense_values<T> values = {args, static_cast<const T*>(args.key.data)};
  switch (args.phase) {
    case DENSE_RANGE:
      find_range(values);
      break;
    case DENSE_GROUPS:
      assign(values);
      break;
    case DENSE_FIND:
      find(values);
      break;
    default:
      break;
  }
}

static void run(const dense_groups_args& args) {
  switch (args.key.kind) {
    case column_kind::i8:
      run_over<i8>(args);
      break;
    case column_kind::i16:
      run_over<i16>(args);
      break;
    case column_kind::i32:
      run_over<i32>(args);
      break;
    default:
      run_over<i64>(args);
      break;
  }
}

}  // namespace hash
