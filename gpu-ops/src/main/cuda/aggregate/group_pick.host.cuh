// group_pick on the host: one row, or group, after the other.
#pragma once

#include "aggregate/group_pick.cuh"
#include "text/text.host.cuh"

namespace aggregate {

ARIADNE_INLINE text::memory_text text_of(u64 low, u64 high, const u8* bytes, u64 (&room)[2]) {
  return bytes == nullptr
             ? text::of_view(static_cast<i64>(low), static_cast<i64>(high), nullptr, room)
             : text::memory_text{bytes, text_length(low)};
}

ARIADNE_INLINE const u8* bytes_of(const group_pick_args& args, const picked_value& value) {
  if (value.state == PICK_FOREIGN) {
    return reinterpret_cast<const u8*>(value.high);
  }
  return is_in_heap(args, value.low, value.state) ? args.heap + value.high : nullptr;
}

template <u32 Rule>
ARIADNE_INLINE bool is_better(const group_pick_args& args, const pick_candidate& mine,
                              const picked_value& best) {
  if constexpr (Rule == PICK_FIRST) {
    return mine.order < best.order;
  } else if constexpr (Rule == PICK_LAST) {
    return mine.order > best.order;
  } else {
    const u32 prefix = prefix_of(mine.low);
    const u32 best_prefix = prefix_of(best.low);
    if (best.state == PICK_NOTHING || prefix != best_prefix) {
      return best.state == PICK_NOTHING ||
             (Rule == PICK_LEAST ? prefix < best_prefix : prefix > best_prefix);
    }
    u64 rooms[2][2];
    const i32 order = text::compare(text_of(mine.low, mine.high, mine.bytes, rooms[0]),
                                    text_of(best.low, best.high, bytes_of(args, best), rooms[1]));
    return Rule == PICK_LEAST ? order < 0 : order > 0;
  }
}

template <u32 Rule>
static void update_picks(const group_pick_args& args) {
  bool has_foreign = false;
  for (u32 row = 0; row < args.rows; row++) {
    pick_candidate mine;
    if (!candidate_of(args, row, mine)) {
      continue;
    }
    picked_value* best = picked(args, args.group_ids == nullptr ? 0 : args.group_ids[row]);
    if (!is_better<Rule>(args, mine, *best)) {
      continue;
    }
    best->low = mine.low;
    best->high = mine.bytes == nullptr ? mine.high : reinterpret_cast<u64>(mine.bytes);
    best->order = mine.order;
    best->state = mine.is_null ? PICK_NULL : mine.bytes != nullptr ? PICK_FOREIGN : PICK_VALUE;
    has_foreign |= mine.bytes != nullptr;
  }
  if (has_foreign) {
    status::need(args.status, 1);
  }
}

static void add_sizes(const group_pick_args& args) {
  for (u32 group = 0; group < args.rows; group++) {
    const picked_value& value = *picked(args, group);
    if (value.state == PICK_FOREIGN) {
      args.status->detail[0] += padded_length(value.low);
    } else if (is_in_heap(args, value.low, value.state)) {
      args.status->detail[1] += padded_length(value.low);
    }
  }
}

static void settle(const group_pick_args& args) {
  for (u32 group = 0; group < args.rows; group++) {
    picked_value* value = picked(args, group);
    const bool moves = args.heap != args.target_heap && is_in_heap(args, value->low, value->state);
    if (!moves && value->state != PICK_FOREIGN) {
      continue;
    }
    const u64 place = args.heap_used + args.status->rows_out;
    __builtin_memcpy(args.target_heap + place, bytes_of(args, *value), text_length(value->low));
    args.status->rows_out += padded_length(value->low);
    value->high = place;
    value->state = PICK_VALUE;
  }
}

static void run(const group_pick_args& args) {
  if (args.phase == PICK_SIZE) {
    add_sizes(args);
  } else if (args.phase == PICK_SETTLE) {
    settle(args);
  } else if (args.rule == PICK_LEAST) {
    update_picks<PICK_LEAST>(args);
  } else if (args.rule == PICK_GREATEST) {
    update_picks<PICK_GREATEST>(args);
  } else if (args.rule == PICK_FIRST) {
    update_picks<PICK_FIRST>(args);
  } else {
    update_picks<PICK_LAST>(args);
  }
}

}  // namespace aggregate
