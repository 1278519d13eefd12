// join_rows on the host: one pass in row order each.
#pragma once

#include "join/join_rows.cuh"

namespace join {

inline constexpr u32 kPollRows = 1 << 14;
inline constexpr u32 kAhead = 16;  // how many rows ahead places are prefetched

ARIADNE_INLINE bool is_cancelled(const join_rows_args& args, u32 row) {
  return row % kPollRows == 0 && status::cancelled(args.status);
}

static void count(const join_rows_args& args) {
  for (u32 row = 0; row < args.rows && !is_cancelled(args, row); row++) {
    if (row + kAhead < args.rows) {
      __builtin_prefetch(args.counts + args.groups[row + kAhead], 1);
    }
    args.counts[args.groups[row]]++;
  }
}

static void put_starts(const join_rows_args& args) {
  u32 before = 0;
  for (u32 group = 0; group < args.group_count; group++) {
    args.starts[group] = before;
    before += args.counts[group];
    args.counts[group] = 0;
  }
  args.starts[args.group_count] = before;
}

static void place(const join_rows_args& args) {
  for (u32 row = 0; row < args.rows && !is_cancelled(args, row); row++) {
    if (row + kAhead < args.rows) {
      __builtin_prefetch(args.starts + args.groups[row + kAhead]);
      __builtin_prefetch(args.counts + args.groups[row + kAhead], 1);
    }
    const u32 group = args.groups[row];
    args.build_rows[args.starts[group] + args.counts[group]++] = row;
  }
}

static void count_pairs(const join_rows_args& args) {
  u64 before = 0;
  for (u32 row = 0; row < args.rows && !is_cancelled(args, row); row++) {
    if (args.starts != nullptr && row + kAhead < args.rows &&
        has_group(args.groups[row + kAhead])) {
      __builtin_prefetch(args.starts + args.groups[row + kAhead]);
    }
    args.offsets[row] = before;
    before += pairs_of(args, args.groups[row]);
  }
  args.offsets[args.rows] = before;
  args.status->rows_out = before;
}

static void expand(const join_rows_args& args) {
  if (args.pair_count == 0) {
    return;
  }
  u32 row = row_of(args, args.first_pair);
  u32 pair = static_cast<u32>(args.first_pair - args.offsets[row]);
  u32 out = 0;
  while (out < args.pair_count) {
    const u32 group = args.groups[row];
    const u32 left = static_cast<u32>(args.offsets[row + 1] - args.offsets[row]) - pair;
    const u32 room = args.pair_count - out;
    const u32 end = out + (left < room ? left : room);
    for (; out < end; out++, pair++) {
      args.probe_index[out] = row;
      args.build_index[out] = build_row(args, group, pair);
    }
    row++;
    pair = 0;
  }
}

static void flag(const join_rows_args& args) {
  const u32 words = (args.rows + 31) / 32;
  for (u32 word = 0; word < words; word++) {
    const u32 rest = args.rows - word * 32;
    const u32 count = rest < 32 ? rest : 32;
    u32 bits = args.bits[word];
    for (u32 i = 0; i < count; i++) {
      bits |= static_cast<u32>(is_flagged(args, args.groups[word * 32 + i])) << i;
    }
    args.bits[word] = bits;
  }
}

static void mark(const join_rows_args& args) {
  for (u32 i = 0; i < args.pair_count; i++) {
    const u32 row = args.probe_index[i];
    if (row < args.rows) {
      args.bits[row / 32] |= u32{1} << row % 32;
    }
  }
}

static void invert(const join_rows_args& args) {
  for (u32 word = 0; word < (args.rows + 31) / 32; word++) {
    args.bits[word] = inverted(args, word);
  }
}

static void run(const join_rows_args& args) {
  switch (args.phase) {
    case JOIN_COUNT:
      count(args);
      break;
    case JOIN_STARTS:
      put_starts(args);
      break;
    case JOIN_PLACE:
      place(args);
      break;
    case JOIN_MATCHES:
      count_pairs(args);
      break;
    case JOIN_EXPAND:
      expand(args);
      break;
    case JOIN_FLAG:
      flag(args);
      break;
    case JOIN_MARK:
      mark(args);
      break;
    case JOIN_INVERT:
      invert(args);
      break;
    default:
      break;
  }
}

}  // namespace join
