// group_assign on the host: one pass in row order over a table with linear probing, whose slots
// carry 32 bits of the hash so that a key is compared only where those agree.
#pragma once

#include "hash/key_row.cuh"

namespace hash {

inline constexpr u32 kBatchRows = 256;  // rows whose keys are normalised before they are looked up
inline constexpr u32 kMaxKeyWords = 2 + 2 * GROUP_MAX_KEYS;

// State of one call.
struct host_insert {
  const group_assign_args& args;
  u32 group_count;
  u64 heap_used;

  ARIADNE_MEMBER u64* group_key(u32 group) const {
    return args.group_keys + static_cast<u64>(group) * args.key_words;
  }
};

ARIADNE_INLINE bool is_same_key(const host_insert& state, const u64* row, u32 group) {
  const group_assign_args& args = state.args;
  const u64* key = state.group_key(group);
  if (row[1] >> kLongShift == 0) {
    for (u32 word = 0; word < args.key_words; word++) {
      if (row[word] != key[word]) {
        return false;
      }
    }
    return true;
  }
  return row[0] == key[0] &&
         equal_rows(
             args, [row](u32 word) { return row[word]; }, [key](u32 word) { return key[word]; },
             [&args](u32 k, u64 place) { return batch_bytes(args.keys[k], place); },
             [&args](u32, u64 place) { return args.key_heap + place; });
}

// Bytes of the key heap that the row's long strings need.
static u64 heap_bytes_of(const group_assign_args& args, const u64* row) {
  u64 bytes = 0;
  u32 at = 2;
  for (u32 k = 0; k < args.key_count; k++) {
    if ((row[1] >> (kLongShift + k) & 1) != 0) {
      bytes += 8 * static_cast<u64>(heap_words(string_length(row[at])));
    }
    at += words_of(args.keys[k].kind);
  }
  return bytes;
}

// Tells the caller what the table must hold; see "Growing" in group_assign.cuh.
static void ask_for_room(const host_insert& state, u64 heap_bytes) {
  const group_assign_args& args = state.args;
  const u64 groups = static_cast<u64>(state.group_count) + 1;
  kernel_status* status = args.status;
  status->needed = 1;
  status->detail[0] = groups * 2 > args.slot_count ? u64{args.slot_count} * 4 : args.slot_count;
  status->detail[1] =
      groups > args.group_capacity ? u64{args.group_capacity} * 2 + 1 : args.group_capacity;
  const u64 heap_needed = state.heap_used + heap_bytes;
  status->detail[2] = heap_needed > args.key_heap_bytes ? heap_needed * 2 : args.key_heap_bytes;
}

// Adds the row's key as a group; false when there is no room.
static bool add_group(host_insert& state, const u64* row, u64* slot) {
  const group_assign_args& args = state.args;
  const u64 groups = static_cast<u64>(state.group_count) + 1;
  const u64 heap_bytes = row[1] >> kLongShift == 0 ? 0 : heap_bytes_of(args, row);
  if (groups * 2 > args.slot_count || groups > args.group_capacity ||
      state.heap_used + heap_bytes > args.key_heap_bytes) {
    ask_for_room(state, heap_bytes);
    return false;
  }
  u64* key = state.group_key(state.group_count);
  __builtin_memcpy(key, row, args.key_words * sizeof(u64));
  u32 at = 2;
  for (u32 k = 0; k < args.key_count && heap_bytes != 0; k++) {
    if ((row[1] >> (kLongShift + k) & 1) != 0) {
      const u32 length = string_length(row[at]);
      __builtin_memcpy(args.key_heap + state.heap_used, batch_bytes(args.keys[k], row[at + 1]),
                       length);
      key[at + 1] = state.heap_used;
      state.heap_used += 8 * static_cast<u64>(heap_words(length));
    }
    at += words_of(args.keys[k].kind);
  }
  *slot = slot_word(row[0], state.group_count + 1);
  state.group_count++;
  return true;
}

// Group of the row, adding it when it is new; false when there is no room.
ARIADNE_INLINE bool find_or_add(host_insert& state, const u64* row, u32& group, bool& added) {
  const u64 hash = row[0];
  const u32 mask = state.args.slot_count - 1;
  for (u32 at = static_cast<u32>(hash) & mask;; at = (at + 1) & mask) {
    u64* slot = state.args.slots + at;
    if (*slot == 0) {
      group = state.group_count;
      added = true;
      return add_group(state, row, slot);
    }
    const u32 reference = static_cast<u32>(*slot);
    if (static_cast<u32>(*slot >> 32) == tag_of(hash) && is_same_key(state, row, reference - 1)) {
      group = reference - 1;
      return true;
    }
  }
}

static void insert_rows(const group_assign_args& args) {
  alignas(64) u64 rows[kBatchRows * kMaxKeyWords];
  host_insert state = {args, args.state->group_count, args.state->key_heap_used};
  u32 added_groups = 0;
  u32 row = args.first_row;
  bool has_room = true;
  while (row < args.rows && has_room && !status::cancelled(args.status)) {
    const u32 count = args.rows - row < kBatchRows ? args.rows - row : kBatchRows;
    for (u32 i = 0; i < count; i++) {
      u64* out = rows + static_cast<u64>(i) * args.key_words;
      out[0] = normalize_row(args, row + i, [out](u32 word, u64 value) { out[word] = value; });
    }
    for (u32 i = 0; i < count; i++) {
      bool added = false;
      u32 group;
      has_room = find_or_add(state, rows + static_cast<u64>(i) * args.key_words, group, added);
      if (!has_room) {
        break;
      }
      args.group_ids[row] = group;
      if (added) {
        args.new_group_rows[args.new_group_base + added_groups++] = row;
      }
      row++;
    }
  }
  args.state->group_count = state.group_count;
  args.state->key_heap_used = state.heap_used;
  args.status->rows_out = row - args.first_row;
}

static void rehash(const group_assign_args& args) {
  const u32 mask = args.slot_count - 1;
  for (u32 group = 0; group < args.state->group_count; group++) {
    const u64 hash = args.group_keys[static_cast<u64>(group) * args.key_words];
    u32 at = static_cast<u32>(hash) & mask;
    while (args.slots[at] != 0) {
      at = (at + 1) & mask;
    }
    args.slots[at] = slot_word(hash, group + 1);
  }
}

static void run(const group_assign_args& args) {
  if (args.phase == GROUP_INSERT) {
    insert_rows(args);
  } else if (args.phase == GROUP_REHASH) {
    rehash(args);
  }
}

}  // namespace hash
