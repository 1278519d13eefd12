// group_assign on the GPU, in phases that are launches of their own:
//   GROUP_NORMALIZE  key rows to row_keys, word by word
//   GROUP_INSERT     every row finds the slot of its key. A row claims the slot of a new key, and
//                    rows of the same key with smaller numbers replace it: finally the slot names
//                    the key's first row, whatever the order of threads.
//   GROUP_NUMBER     first rows get group numbers in row order (a scan over the batch), and their
//                    keys are written to group_keys
//   GROUP_RESOLVE    rows read their group number from their slot
// Keys are compared with groups or with rows of the batch, which do not change during an insertion:
// no thread ever waits for another's key.
//
// workspace: groups added, their words of key heap, failed, then the words of the scan.
#pragma once

#include "hash/key_row.cuh"
#include "pattern/block_scan.gpu.cuh"
#include "pattern/look_back.gpu.cuh"

namespace hash {

using target::order;

inline constexpr u32 kThreads = 128;
inline constexpr u32 kItems = GROUP_TILE_ROWS / kThreads;
inline constexpr u32 kAddedGroups = 0;  // words of the workspace
inline constexpr u32 kAddedHeapWords = 1;
inline constexpr u32 kFailed = 2;
inline constexpr u32 kScan = 3;
inline constexpr u32 kHeapShift = 31;  // scanned values: heap words << 31 | groups

ARIADNE_INLINE u32 first_index() {
  return target::block_index() * target::block_size() + target::thread_index();
}
ARIADNE_INLINE u32 index_step() { return target::grid_size() * target::block_size(); }
ARIADNE_INLINE bool is_first_thread() { return first_index() == 0; }

ARIADNE_INLINE u64 row_word(const group_assign_args& args, u32 word, u32 row) {
  return args.row_keys[static_cast<u64>(word) * args.rows + row];
}
ARIADNE_INLINE u64* group_key(const group_assign_args& args, u32 group) {
  return args.group_keys + static_cast<u64>(group) * args.key_words;
}

ARIADNE_INLINE void normalize(const group_assign_args& args) {
  for (u32 row = args.first_row + first_index(); row < args.rows; row += index_step()) {
    const auto put = [&](u32 word, u64 value) {
      args.row_keys[static_cast<u64>(word) * args.rows + row] = value;
    };
    if (args.source_keys == nullptr) {
      put(0, normalize_row(args, row, put));
      continue;
    }
    const u64* key = args.source_keys + static_cast<u64>(row) * args.key_words;
    for (u32 word = 0; word < args.key_words; word++) {
      put(word, target::load_ro(key + word));
    }
  }
}

// Whether the key of a row equals the one a slot refers to, their tags being equal.
ARIADNE_INLINE bool is_same_key(const group_assign_args& args, u32 row, u32 reference) {
  const auto mine = [&](u32 word) { return row_word(args, word, row); };
  const auto batch = [&](u32 k, u64 place) { return row_bytes(args, k, place); };
  if ((reference & kNewRow) != 0) {
    const u32 other = reference & ~kNewRow;
    return mine(0) == row_word(args, 0, other) &&
           equal_rows(
               args, mine, [&](u32 word) { return row_word(args, word, other); }, batch, batch);
  }
  const u64* key = group_key(args, reference - 1);
  return mine(0) == key[0] && equal_rows(
                                  args, mine, [&](u32 word) { return key[word]; }, batch,
                                  [&](u32, u64 place) { return args.key_heap + place; });
}

// Words of key heap that the row's long strings take.
ARIADNE_INLINE u32 heap_words_of(const group_assign_args& args, u32 row) {
  const u64 flags = row_word(args, 1, row) >> kLongShift;
  u32 words = 0;
  u32 at = 2;
  for (u32 k = 0; flags != 0 && k < args.key_count; k++) {
    if ((flags >> k & 1) != 0) {
      words += heap_words(string_length(row_word(args, at, row)));
    }
    at += words_of(args.keys[k].kind);
  }
  return words;
}

// Whether one more group than those added so far would still fit.
ARIADNE_INLINE bool has_room(const group_assign_args& args, u64 added) {
  const u64 groups = args.state->group_count + added;
  return (groups + 1) * 2 <= args.slot_count && groups < args.group_capacity;
}

// Makes the slot, which refers to the same key, refer to this row if that is the smaller one.
ARIADNE_INLINE void lower_row(u64* slot, u64 seen, u64 mine) {
  while ((seen & kNewRow) != 0 && static_cast<u32>(seen) > static_cast<u32>(mine)) {
    const u64 found = target::atomic_compare_exchange<order::relaxed>(slot, seen, mine);
    if (found == seen) {
      return;
    }
    seen = found;
  }
}

// Slot of the row's key; claims one when the key is new. Fails when the table is too full.
ARIADNE_INLINE bool find_slot(const group_assign_args& args, u32 row, u32& at) {
  const u64 hash = row_word(args, 0, row);
  const u64 mine = slot_word(hash, kNewRow | row);
  const u32 mask = args.slot_count - 1;
  at = static_cast<u32>(hash) & mask;
  for (u32 probe = 0; probe <= mask; probe++) {
    u64 seen = target::atomic_load<order::relaxed>(args.slots + at);
    if (seen == 0) {
      if (!has_room(args, target::atomic_load<order::relaxed>(args.workspace + kAddedGroups))) {
        return false;
      }
      seen = target::atomic_compare_exchange<order::relaxed>(args.slots + at, u64{0}, mine);
      if (seen == 0) {
        target::atomic_add<order::relaxed>(args.workspace + kAddedGroups, u64{1});
        const u64 words = heap_words_of(args, row);
        if (words != 0) {
          target::atomic_add<order::relaxed>(args.workspace + kAddedHeapWords, words);
        }
        return true;
      }
    }
    if (static_cast<u32>(seen >> 32) == tag_of(hash) &&
        is_same_key(args, row, static_cast<u32>(seen))) {
      lower_row(args.slots + at, seen, mine);
      return true;
    }
    at = (at + 1) & mask;
  }
  return false;
}

// Counts what the rows, each a group, take.
ARIADNE_INLINE void count_appended(const group_assign_args& args) {
  for (u32 row = args.first_row + first_index(); row < args.rows; row += index_step()) {
    const u64 words = heap_words_of(args, row);
    if (words != 0) {
      target::atomic_add<order::relaxed>(args.workspace + kAddedHeapWords, words);
    }
  }
  if (is_first_thread()) {
    args.workspace[kAddedGroups] = args.rows - args.first_row;
  }
}

ARIADNE_INLINE void insert(const group_assign_args& args) {
  if (args.append != 0) {
    count_appended(args);
    return;
  }
  for (u32 row = args.first_row + first_index(); row < args.rows; row += index_step()) {
    u32 at;
    if (find_slot(args, row, at)) {
      args.group_ids[row] = at;
    } else {
      target::atomic_store<order::relaxed>(args.workspace + kFailed, u64{1});
    }
  }
}

// Whether what was inserted fits the table; known after GROUP_INSERT.
ARIADNE_INLINE bool fits(const group_assign_args& args) {
  return target::atomic_load<order::relaxed>(args.workspace + kFailed) == 0 &&
         args.state->group_count + args.workspace[kAddedGroups] <= args.group_capacity &&
         args.state->key_heap_used + 8 * args.workspace[kAddedHeapWords] <= args.key_heap_bytes;
}

// Tells the caller what the table must hold; see "Growing" in group_assign.cuh.
ARIADNE_INLINE void ask_for_room(const group_assign_args& args) {
  const u64 groups = args.state->group_count + args.workspace[kAddedGroups] + 1;
  const u64 heap = args.state->key_heap_used + 8 * args.workspace[kAddedHeapWords];
  kernel_status* status = args.status;
  status->needed = 1;
  const bool is_crowded = args.append == 0 && groups * 2 > args.slot_count;
  status->detail[0] = is_crowded ? u64{args.slot_count} * 4 : args.slot_count;
  status->detail[1] = groups > args.group_capacity ? groups * 2 : args.group_capacity;
  status->detail[2] = heap > args.key_heap_bytes ? heap : args.key_heap_bytes;
}

// Shared memory of GROUP_NUMBER.
struct number_scratch {
  pattern::block_sum_scratch<u64> sums;
  u64 before[kItems * kThreads];  // scanned value of the tile's rows before
  u64 tiles_before;               // and of the tiles before
  u32 ticket;
};

// Copies the row's key to its group.
ARIADNE_INLINE void copy_key(const group_assign_args& args, u32 row, u32 group, u64 heap_place) {
  u64* key = group_key(args, group);
  for (u32 word = 0; word < args.key_words; word++) {
    key[word] = row_word(args, word, row);
  }
  const u64 flags = key[1] >> kLongShift;
  u32 at = 2;
  for (u32 k = 0; flags != 0 && k < args.key_count; k++) {
    if ((flags >> k & 1) != 0) {
      const u32 length = string_length(key[at]);
      const u8* from = row_bytes(args, k, key[at + 1]);
      for (u32 i = 0; i < length; i++) {
        args.key_heap[heap_place + i] = target::load_ro(from + i);
      }
      key[at + 1] = heap_place;
      heap_place += 8 * static_cast<u64>(heap_words(length));
    }
    at += words_of(args.keys[k].kind);
  }
}

// Scanned value of a row: 1 group and its words of key heap if it is the first of its key.
ARIADNE_INLINE u64 scanned_value(const group_assign_args& args, u32 row) {
  if (args.append == 0) {
    const u64 seen = target::atomic_load<order::relaxed>(args.slots + args.group_ids[row]);
    if (static_cast<u32>(seen) != (kNewRow | row)) {
      return 0;
    }
  }
  return static_cast<u64>(heap_words_of(args, row)) << kHeapShift | 1;
}

// Numbers the group whose first row this is; `place` is the scanned value before it.
ARIADNE_INLINE void number_row(const group_assign_args& args, u32 row, u64 place) {
  const u32 rank = static_cast<u32>(place & ((u64{1} << kHeapShift) - 1));
  const u32 group = args.state->group_count + rank;
  args.new_group_rows[args.new_group_base + rank] = row;
  copy_key(args, row, group, args.state->key_heap_used + 8 * (place >> kHeapShift));
  if (args.append != 0) {
    args.group_ids[row] = group;
    return;
  }
  target::atomic_store<order::relaxed>(args.slots + args.group_ids[row],
                                       slot_word(row_word(args, 0, row), group + 1));
}

// All threads of the block call it.
ARIADNE_INLINE void number_tile(const group_assign_args& args, u32 tile, number_scratch& scratch) {
  u32 firsts = 0;  // bit j: the row of item j is the first of its key
  u64 sum = 0;
  const u32 thread = target::thread_index();
  const u32 first_row = tile * GROUP_TILE_ROWS + thread;
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    const u32 row = first_row + j * kThreads;
    const u64 value = row < args.rows ? scanned_value(args, row) : 0;
    u64 total;
    const u64 before = pattern::block_exclusive_sum(value, scratch.sums, total);
    scratch.before[j * kThreads + thread] = sum + before;
    firsts |= (value != 0 ? 1u : 0u) << j;
    sum += total;
    target::block_barrier();
  }
  if (target::warp_index() == 0) {
    const u64 prefix = pattern::look_back(args.workspace + kScan, tile, sum);
    if (target::lane_index() == 0) {
      scratch.tiles_before = prefix;
    }
  }
  target::block_barrier();
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    if ((firsts >> j & 1) != 0) {
      number_row(args, first_row + j * kThreads,
                 scratch.tiles_before + scratch.before[j * kThreads + thread]);
    }
  }
}

ARIADNE_INLINE void number(const group_assign_args& args) {
  ARIADNE_SHARED(number_scratch, scratch);
  if (!fits(args)) {
    if (is_first_thread()) {
      ask_for_room(args);
      target::atomic_store<order::relaxed>(args.workspace + kFailed, u64{1});
    }
    return;
  }
  const u32 tiles = (args.rows + GROUP_TILE_ROWS - 1) / GROUP_TILE_ROWS;
  u64* scan = args.workspace + kScan;
  for (u32 tile = pattern::take_tile(scan, scratch.ticket); tile < tiles;
       tile = pattern::take_tile(scan, scratch.ticket)) {
    number_tile(args, tile, scratch);
  }
}

// Rows take their groups from their slots, and the batch's groups count from now on.
ARIADNE_INLINE void resolve(const group_assign_args& args) {
  if (args.workspace[kFailed] != 0) {
    return;
  }
  for (u32 row = args.first_row + first_index(); args.append == 0 && row < args.rows;
       row += index_step()) {
    args.group_ids[row] = static_cast<u32>(args.slots[args.group_ids[row]]) - 1;
  }
  if (is_first_thread()) {
    args.state->group_count += static_cast<u32>(args.workspace[kAddedGroups]);
    args.state->key_heap_used += 8 * args.workspace[kAddedHeapWords];
    args.status->rows_out = args.rows - args.first_row;
  }
}

ARIADNE_INLINE void rehash(const group_assign_args& args) {
  const u32 mask = args.slot_count - 1;
  for (u32 group = first_index(); group < args.state->group_count; group += index_step()) {
    const u64 hash = group_key(args, group)[0];
    u32 at = static_cast<u32>(hash) & mask;
    while (target::atomic_compare_exchange<order::relaxed>(args.slots + at, u64{0},
                                                           slot_word(hash, group + 1)) != 0) {
      at = (at + 1) & mask;
    }
  }
}

ARIADNE_INLINE void run(const group_assign_args& args) {
  switch (args.phase) {
    case GROUP_NORMALIZE:
      normalize(args);
      break;
    case GROUP_INSERT:
      insert(args);
      break;
    case GROUP_NUMBER:
      number(args);
      break;
    case GROUP_RESOLVE:
      resolve(args);
      break;
    case GROUP_REHASH:
      rehash(args);
      break;
    default:
      break;
  }
}

}  // namespace hash
