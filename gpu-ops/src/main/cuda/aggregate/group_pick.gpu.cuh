// group_pick on the GPU: a thread per row, or group. A pick changes under its lock; what it is
// compared by only ever improves, so a stale look at that suffices to see that a row is of no use.
#pragma once

#include "aggregate/group_pick.cuh"
#include "text/text.gpu.cuh"

namespace aggregate {

using target::order;

ARIADNE_INLINE bool is_useless(const group_pick_args& args, const pick_candidate& mine,
                               const picked_value* best) {
  if (args.rule == PICK_FIRST || args.rule == PICK_LAST) {
    const u64 seen = target::atomic_load<order::relaxed>(&best->order);
    return args.rule == PICK_FIRST ? mine.order >= seen : mine.order <= seen;
  }
  const u32 seen = prefix_of(target::atomic_load<order::relaxed>(&best->low));
  const u32 prefix = prefix_of(mine.low);
  return args.rule == PICK_LEAST ? prefix > seen : prefix < seen;
}

ARIADNE_INLINE text::word_text text_of(u64 low, u64 high, const u8* bytes) {
  return bytes == nullptr ? text::word_text(static_cast<i64>(low), static_cast<i64>(high), nullptr)
                          : text::word_text(bytes, text_length(low));
}

// Whether a value is better than the one whose lock the thread has.
ARIADNE_INLINE bool is_better(const group_pick_args& args, const pick_candidate& mine,
                              const picked_value* best) {
  const u32 state = target::atomic_load<order::relaxed>(&best->state);
  if (state == PICK_NOTHING || args.rule == PICK_FIRST || args.rule == PICK_LAST) {
    return state == PICK_NOTHING || !is_useless(args, mine, best);
  }
  const u64 low = target::atomic_load<order::relaxed>(&best->low);
  const u64 high = target::atomic_load<order::relaxed>(&best->high);
  const u8* bytes = state == PICK_FOREIGN          ? reinterpret_cast<const u8*>(high)
                    : is_in_heap(args, low, state) ? args.heap + high
                                                   : nullptr;
  text::word_text a = text_of(mine.low, mine.high, mine.bytes);
  text::word_text b = text_of(low, high, bytes);
  const i32 found = text::compare(a, b);
  return args.rule == PICK_LEAST ? found < 0 : found > 0;
}

// Puts a value in the place of one whose lock the thread has.
ARIADNE_INLINE void put(const group_pick_args& args, const pick_candidate& mine,
                        picked_value* best) {
  const bool is_long = mine.bytes != nullptr;
  const u64 high = is_long ? reinterpret_cast<u64>(mine.bytes) : mine.high;
  const u32 state = mine.is_null ? PICK_NULL : is_long ? PICK_FOREIGN : PICK_VALUE;
  target::atomic_store<order::relaxed>(&best->low, mine.low);
  target::atomic_store<order::relaxed>(&best->high, high);
  target::atomic_store<order::relaxed>(&best->order, mine.order);
  target::atomic_store<order::relaxed>(&best->state, state);
  if (is_long && target::atomic_load<order::relaxed>(&args.status->needed) == 0) {
    status::need(args.status, 1);
  }
}

ARIADNE_INLINE void offer(const group_pick_args& args, const pick_candidate& mine,
                          picked_value* best) {
  if (is_useless(args, mine, best)) {
    return;
  }
  for (bool done = false; !done;) {
    if (target::atomic_compare_exchange<order::acquire>(&best->lock, 0u, 1u) == 0) {
      if (is_better(args, mine, best)) {
        put(args, mine, best);
      }
      target::atomic_store<order::release>(&best->lock, 0u);
      done = true;
    } else {
      target::spin_pause();
    }
  }
}

ARIADNE_INLINE void update_pick(const group_pick_args& args, u32 row) {
  pick_candidate mine;
  if (candidate_of(args, row, mine)) {
    const u64 group = args.group_ids == nullptr ? 0 : target::load_ro(args.group_ids + row);
    offer(args, mine, picked(args, group));
  }
}

ARIADNE_INLINE void add_size(const group_pick_args& args, u32 group) {
  const picked_value value = *picked(args, group);
  if (value.state == PICK_FOREIGN) {
    target::atomic_add<order::relaxed>(&args.status->detail[0], padded_length(value.low));
  } else if (is_in_heap(args, value.low, value.state)) {
    target::atomic_add<order::relaxed>(&args.status->detail[1], padded_length(value.low));
  }
}

// Copies a string by words; none that is read lies wholly outside of it.
ARIADNE_INLINE void copy_words(const u8* from, u64* to, u32 length) {
  const u32 skew = static_cast<u32>(reinterpret_cast<u64>(from) % sizeof(u64));
  const u64* words = reinterpret_cast<const u64*>(from - skew);
  const u32 count = (length + skew + 7) / 8;
  const u32 shift = 8 * skew;
  u64 next = target::load_ro(words);
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < (length + 7) / 8; i++) {
    const u64 word = next;
    next = i + 1 < count ? target::load_ro(words + i + 1) : 0;
    to[i] = shift == 0 ? word : word >> shift | next << (64 - shift);
  }
}

ARIADNE_INLINE void settle(const group_pick_args& args, u32 group) {
  picked_value* value = picked(args, group);
  const u64 low = value->low;
  const u32 state = value->state;
  const bool moves = args.heap != args.target_heap && is_in_heap(args, low, state);
  if (!moves && state != PICK_FOREIGN) {
    return;
  }
  const u8* from =
      state == PICK_FOREIGN ? reinterpret_cast<const u8*>(value->high) : args.heap + value->high;
  const u64 place = args.heap_used +
                    target::atomic_add<order::relaxed>(&args.status->rows_out, padded_length(low));
  copy_words(from, reinterpret_cast<u64*>(args.target_heap + place), text_length(low));
  value->high = place;
  value->state = PICK_VALUE;
}

ARIADNE_INLINE void run(const group_pick_args& args) {
  const u32 step = target::grid_size() * target::block_size();
  for (u32 i = target::block_index() * target::block_size() + target::thread_index(); i < args.rows;
       i += step) {
    if (args.phase == PICK_UPDATE) {
      update_pick(args, i);
    } else if (args.phase == PICK_SIZE) {
      add_size(args, i);
    } else {
      settle(args, i);
    }
  }
}

}  // namespace aggregate
