// group_assign on the host: one pass in row order over a table with linear probing, whose slots
// carry 32 bits of the hash so that a key is compared only where those agree. Rows with the key of
// the row before are not looked up.
#pragma once

#include "hash/key_columns.host.cuh"

namespace hash {

// State of one call.
struct host_insert {
  const group_assign_args& args;
  u32 group_count;
  u64 heap_used;

  ARIADNE_MEMBER u64* group_key(u32 group) const {
    return args.group_keys + static_cast<u64>(group) * args.key_words;
  }
};

// Whether row i of the batch has a key of a table, whose long strings are in a heap. `Words` is
// key_words where that is known, else 0.
template <u32 Words>
ARIADNE_INLINE bool is_same_key(const key_batch& batch, u32 i, const u64* key, const u8* heap) {
  const group_assign_args& args = batch.args;
  if (batch.at(1, i) >> kLongShift == 0) {
    const u32 words = Words != 0 ? Words : args.key_words;
    u64 difference = 0;
    for (u32 word = 0; word < words; word++) {
      difference |= batch.at(word, i) ^ key[word];
    }
    return difference == 0;
  }
  return batch.at(0, i) == key[0] &&
         equal_rows(
             args, [&](u32 word) { return batch.at(word, i); },
             [key](u32 word) { return key[word]; },
             [&](u32 k, u64 place) { return row_bytes(args, k, place); },
             [heap](u32, u64 place) { return heap + place; });
}

// Bytes of the key heap that the row's long strings need.
static u64 heap_bytes_of(const key_batch& batch, u32 i) {
  const group_assign_args& args = batch.args;
  const u64 flags = batch.at(1, i) >> kLongShift;
  u64 bytes = 0;
  u32 word = 2;
  for (u32 k = 0; flags != 0 && k < args.key_count; k++) {
    if ((flags >> k & 1) != 0) {
      bytes += 8 * static_cast<u64>(heap_words(string_length(batch.at(word, i))));
    }
    word += words_of(args.keys[k].kind);
  }
  return bytes;
}

// Tells the caller what the table must hold; see "Growing" in group_assign.cuh.
static void ask_for_room(const host_insert& state, u64 heap_bytes) {
  const group_assign_args& args = state.args;
  const u64 groups = static_cast<u64>(state.group_count) + 1;
  kernel_status* status = args.status;
  status->needed = 1;
  const bool is_crowded = args.append == 0 && groups * 2 > args.slot_count;
  status->detail[0] = is_crowded ? u64{args.slot_count} * 4 : args.slot_count;
  status->detail[1] =
      groups > args.group_capacity ? u64{args.group_capacity} * 2 + 1 : args.group_capacity;
  const u64 heap_needed = state.heap_used + heap_bytes;
  status->detail[2] = heap_needed > args.key_heap_bytes ? heap_needed : args.key_heap_bytes;
}

// Moves the long strings of a new group's key to the key heap.
static void copy_strings(host_insert& state, u64* key) {
  const group_assign_args& args = state.args;
  const u64 flags = key[1] >> kLongShift;
  u32 word = 2;
  for (u32 k = 0; flags != 0 && k < args.key_count; k++) {
    if ((flags >> k & 1) != 0) {
      const u32 length = string_length(key[word]);
      const u8* bytes = row_bytes(args, k, key[word + 1]);
      __builtin_memcpy(args.key_heap + state.heap_used, bytes, length);
      key[word + 1] = state.heap_used;
      state.heap_used += 8 * static_cast<u64>(heap_words(length));
    }
    word += words_of(args.keys[k].kind);
  }
}

// Adds the key of row i as a group, in a slot unless `slot` is null; false when the table is full.
static bool add_group(host_insert& state, const key_batch& batch, u32 i, u64* slot) {
  const group_assign_args& args = state.args;
  const u64 groups = static_cast<u64>(state.group_count) + 1;
  const u64 heap_bytes = heap_bytes_of(batch, i);
  if ((slot != nullptr && groups * 2 > args.slot_count) || groups > args.group_capacity ||
      state.heap_used + heap_bytes > args.key_heap_bytes) {
    ask_for_room(state, heap_bytes);
    return false;
  }
  u64* key = state.group_key(state.group_count);
  for (u32 word = 0; word < args.key_words; word++) {
    key[word] = batch.at(word, i);
  }
  copy_strings(state, key);
  state.group_count++;
  if (slot != nullptr) {
    *slot = slot_word(key[0], state.group_count);
  }
  return true;
}

// Finds the group of row i of the batch, or adds it; false when it is new and the table is full.
template <u32 Words>
ARIADNE_INLINE bool find_or_add(host_insert& state, const key_batch& batch, u32 i, u32& group,
                                bool& added) {
  const u64 hash = batch.at(0, i);
  const u32 mask = state.args.slot_count - 1;
  for (u32 at = static_cast<u32>(hash) & mask;; at = (at + 1) & mask) {
    u64* slot = state.args.slots + at;
    const u64 found = *slot;
    if (found == 0) {
      group = state.group_count;
      added = true;
      return add_group(state, batch, i, slot);
    }
    const u32 reference = static_cast<u32>(found);
    if (static_cast<u32>(found >> 32) == tag_of(hash) &&
        is_same_key<Words>(batch, i, state.group_key(reference - 1), state.args.key_heap)) {
      group = reference - 1;
      return true;
    }
  }
}

// Writes the groups of a batch's rows, found from its leaders. Returns the number of rows that have
// a group: all rows unless the table is full.
template <u32 Words>
ARIADNE_INLINE u32 assign_batch(host_insert& state, const key_batch& batch, const leaders& found,
                                u32& added_groups) {
  const group_assign_args& args = state.args;
  u32* groups = args.group_ids + batch.first;
  for (u32 k = 0; k < found.count; k++) {
    const u32 leader = found.row[k];
    bool added = false;
    u32 group;
    if (!find_or_add<Words>(state, batch, leader, group, added)) {
      return leader;
    }
    if (added) {
      args.new_group_rows[args.new_group_base + added_groups++] = batch.first + leader;
    }
    const u32 end = found.row[k + 1];
    u32 i = leader;
    do {
      groups[i++] = group;
    } while (i < end);
  }
  return batch.count;
}

template <u32 Words>
static void insert_rows(const group_assign_args& args) {
  alignas(64) u64 words[kBatchRows * kMaxKeyWords];
  host_insert state = {args, args.state->group_count, args.state->key_heap_used};
  leaders found;
  u32 added_groups = 0;
  u32 row = args.first_row;
  bool has_room = true;
  while (row < args.rows && has_room && !status::cancelled(args.status)) {
    const u32 left = args.rows - row;
    const key_batch batch = {args, words, row, left < kBatchRows ? left : kBatchRows};
    normalize_batch(batch);
    find_leaders(batch, found);
    prefetch_groups(batch, found);
    const u32 assigned = assign_batch<Words>(state, batch, found, added_groups);
    has_room = assigned == batch.count;
    row += assigned;
  }
  args.state->group_count = state.group_count;
  args.state->key_heap_used = state.heap_used;
  args.status->rows_out = row - args.first_row;
}

// Every row becomes a group.
static void append_rows(const group_assign_args& args) {
  alignas(64) u64 words[kBatchRows * kMaxKeyWords];
  host_insert state = {args, args.state->group_count, args.state->key_heap_used};
  u32 row = args.first_row;
  bool has_room = true;
  while (row < args.rows && has_room && !status::cancelled(args.status)) {
    const u32 left = args.rows - row;
    const key_batch batch = {args, words, row, left < kBatchRows ? left : kBatchRows};
    normalize_batch(batch);
    for (u32 i = 0; i < batch.count; i++) {
      const u32 group = state.group_count;
      has_room = add_group(state, batch, i, nullptr);
      if (!has_room) {
        break;
      }
      args.group_ids[row] = group;
      args.new_group_rows[args.new_group_base + row - args.first_row] = row;
      row++;
    }
  }
  args.state->group_count = state.group_count;
  args.state->key_heap_used = state.heap_used;
  args.status->rows_out = row - args.first_row;
}

// Keys of few words, one string or two among them, have loops of their own.
static void insert(const group_assign_args& args) {
  if (args.append != 0) {
    append_rows(args);
    return;
  }
  switch (args.key_words) {
    case 3:
      insert_rows<3>(args);
      break;
    case 4:
      insert_rows<4>(args);
      break;
    case 5:
      insert_rows<5>(args);
      break;
    case 6:
      insert_rows<6>(args);
      break;
    default:
      insert_rows<0>(args);
      break;
  }
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
    insert(args);
  } else if (args.phase == GROUP_REHASH) {
    rehash(args);
  }
}

}  // namespace hash
