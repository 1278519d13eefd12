// Walking the runs of a hybrid stream on the GPU: a warp fills a table of runs, the block reads it.
#pragma once

#include "parquet/hybrid.cuh"
#include "parquet/stream.gpu.cuh"
#include "pattern/warp.gpu.cuh"

namespace hybrid {

inline constexpr u32 kTableRuns = 256;
inline constexpr u32 kPackedFlag = 1u << 31;

// Runs of a task in order, some at a time. Values are numbered from the first skipped one. In
// shared memory; written by the first warp between two barriers.
struct run_table {
  u32 first[kTableRuns];  // the run's first value; kPackedFlag set for a bit-packed run
  u32 place[kTableRuns];  // bit-packed: offset of its bytes in the stream; else the value
  u32 count;              // runs in the table
  u32 begin;              // their values are begin to end - 1
  u32 end;
  u32 offset;  // byte where the next run begins
  bool has_failed;
};

// Why a repeated value is not accepted.
struct value_rule {
  u32 maximum;
  bool is_any_refused;  // whatever the value
  u32 from;             // runs of values below this one are not looked at
  parquet_error error;
};

// The first 9 bytes of the stream from one byte on.
struct header_bytes {
  u64 low;
  u32 last;
};

// Byte `offset` + lane and those behind it, for each lane.
ARIADNE_INLINE header_bytes load_window(const parquet::stream_words& stream, u32 offset) {
  const u32 lane = target::lane_index();
  const u64 byte = static_cast<u64>(offset) + stream.skew / 8;
  const u32 in_word = static_cast<u32>(byte % 4) + lane;
  const u32 own = lane < 11 ? stream.load(static_cast<u32>(byte / 4) + lane) : 0;
  const u64 w0 = target::shuffle(own, in_word / 4);
  const u64 w1 = target::shuffle(own, in_word / 4 + 1);
  const u64 w2 = target::shuffle(own, in_word / 4 + 2);
  const u32 shift = in_word % 4 * 8;
  const u64 low = (w1 << 32 | w0) >> shift & 0xffffffff;
  const u64 high = (w2 << 32 | w1) >> shift & 0xffffffff;
  return {high << 32 | low, static_cast<u32>(w2 >> shift)};
}

// A run as one lane reads it at its byte, whether or not a run begins there.
struct lane_run {
  u32 header_length;  // 0: no header can be read
  bool is_packed;
  u64 length;
  u32 value;
  u32 room;  // bytes of the stream behind the header
  u32 next;  // bytes from this lane's to the next run
};

ARIADNE_INLINE lane_run read_run(const header_bytes& bytes, u32 left, u32 width) {
  const parquet::varint header = parquet::read_varint(bytes.low, left);
  const u32 value_bytes = (width + 7) / 8;
  lane_run run{};
  run.header_length = header.length;
  if (header.length == 0) {
    return run;
  }
  run.is_packed = header.value & 1;
  run.length = static_cast<u64>(header.value >> 1) * (run.is_packed ? 8 : 1);
  run.room = left - header.length;
  const u64 last = static_cast<u64>(bytes.last) << (64 - 8 * header.length);
  run.value = static_cast<u32>(bytes.low >> 8 * header.length | last) & value_mask(value_bytes);
  const u64 body = run.is_packed ? run.length / 8 * width : value_bytes;
  run.next = header.length + (body < run.room ? static_cast<u32>(body) : run.room);
  return run;
}

// Lanes reached from lane 0 by jumping, as a mask; a jump of 32 or more leads out of the window.
ARIADNE_INLINE u32 reached_lanes(u32 jump) {
  const u32 lane = target::lane_index();
  u32 to = jump < target::kWarpSize - lane ? lane + jump : target::kWarpSize;
  u32 reached = 1u << lane;
#pragma unroll
  for (u32 distance = 1; distance < target::kWarpSize; distance *= 2) {
    const u32 from = to % target::kWarpSize;
    const u32 more = target::shuffle(reached, from);
    const u32 further = target::shuffle(to, from);
    if (to < target::kWarpSize) {
      reached |= more;
      to = further;
    }
  }
  return target::shuffle(reached, 0);
}

// Where the walk stands; the same in all lanes.
struct walk_state {
  u32 offset;
  u32 value;
  u32 runs;
  bool has_failed;
};

// Raises what is wrong with a run of which `wanted` values are needed, the first being `first`.
// Returns whether something is.
ARIADNE_INLINE bool refuse_run(const parquet_task& task, u32 number, kernel_status* status,
                               const lane_run& run, const value_rule& rule, u32 offset, u32 first,
                               u32 wanted) {
  const u64 value_bytes = (task.width + 7) / 8;
  const u64 bytes = run.is_packed ? (static_cast<u64>(wanted) * task.width + 7) / 8 : value_bytes;
  if (run.header_length == 0) {
    parquet::raise(status, number, offset, header_error(task.data_bytes - offset));
    return true;
  }
  if (bytes > run.room) {
    parquet::raise(status, number, offset, PARQUET_ERROR_TRUNCATED);
    return true;
  }
  const bool is_refused = rule.is_any_refused || run.value > rule.maximum;
  if (!run.is_packed && wanted > 0 && first + wanted > rule.from && is_refused) {
    parquet::raise(status, number, offset + run.header_length, rule.error);
    return true;
  }
  return false;
}

// One window of 32 bytes: adds its runs to the table.
ARIADNE_INLINE void walk_window(const parquet_task& task, u32 number, kernel_status* status,
                                const parquet::stream_words& stream, const value_rule& rule,
                                run_table& table, walk_state& state) {
  const u32 lane = target::lane_index();
  const u32 all = task.skip + task.count;
  const u32 bytes = static_cast<u32>(task.data_bytes);
  const u32 offset = state.offset + lane;
  const header_bytes window = load_window(stream, state.offset);
  const lane_run run = read_run(window, offset < bytes ? bytes - offset : 0, task.width);
  const u32 jump = run.header_length == 0 ? target::kWarpSize : run.next;
  const u32 real = reached_lanes(jump);
  const bool is_real = real >> lane & 1;
  const u64 length = is_real ? run.length : 0;
  const u64 before = pattern::warp_inclusive_sum(length) - length;
  const u64 first_value = state.value + before;
  const bool is_wanted = is_real && first_value < all;
  const u32 first = is_wanted ? static_cast<u32>(first_value) : all;
  const u32 wanted = length < all - first ? static_cast<u32>(length) : all - first;
  const bool is_refused =
      is_wanted && refuse_run(task, number, status, run, rule, offset, first, wanted);
  const u32 refused = target::ballot(is_refused);
  const u32 accepted = refused == 0 ? ~0u : (refused & (0 - refused)) - 1;
  const bool is_kept = is_wanted && wanted > 0 && (accepted >> lane & 1) != 0;
  const u32 kept = target::ballot(is_kept);
  if (is_kept) {
    const u32 slot = state.runs + static_cast<u32>(__builtin_popcount(kept & ((1u << lane) - 1)));
    table.first[slot] = first | (run.is_packed ? kPackedFlag : 0);
    table.place[slot] = run.is_packed ? offset + run.header_length : run.value;
  }
  const u32 last = 31 - static_cast<u32>(__builtin_clz(real));
  const u32 end = target::shuffle(first + wanted, last);
  const u32 failing = refused == 0 ? 0 : static_cast<u32>(__builtin_ctz(refused));
  const u32 failing_first = target::shuffle(first, failing);
  state.offset = target::shuffle(offset + run.next, last);
  state.value = refused == 0 ? end : failing_first;
  state.runs += static_cast<u32>(__builtin_popcount(kept));
  state.has_failed = refused != 0;
}

// Fills the table from where it ended. Called by one whole warp.
ARIADNE_FUNCTION void fill_table(const parquet_task task, u32 number, kernel_status* status,
                                 const parquet::stream_words stream, const value_rule rule,
                                 run_table& table) {
  walk_state state{table.offset, table.end, 0, false};
  const u32 begin = state.value;
  while (!state.has_failed && state.value < task.skip + task.count &&
         state.runs + target::kWarpSize <= kTableRuns) {
    walk_window(task, number, status, stream, rule, table, state);
  }
  target::warp_barrier();
  if (target::lane_index() == 0) {
    table.count = state.runs;
    table.begin = begin;
    table.end = state.value;
    table.offset = state.offset;
    table.has_failed = state.has_failed;
  }
}

// A value as the table tells it.
struct table_value {
  u32 value;
  u64 offset;  // byte of the stream where it begins; of a bit-packed value only
};

// Value `number` of the task, which the table holds.
ARIADNE_INLINE table_value find_value(const run_table& table, u32 runs,
                                      const parquet::stream_words& stream, u32 width, u32 number) {
  u32 run = 0;
  for (u32 rest = runs; rest > 1;) {
    const u32 half = rest / 2;
    const bool is_above = (table.first[run + half] & ~kPackedFlag) <= number;
    run += is_above ? half : 0;
    rest = is_above ? rest - half : half;
  }
  const u32 first = table.first[run];
  const u32 place = table.place[run];
  if ((first & kPackedFlag) == 0) {
    return {place, 0};
  }
  const u64 bit = static_cast<u64>(number - (first & ~kPackedFlag)) * width;
  return {stream.bits(static_cast<u64>(place) * 8 + bit, width), place + bit / 8};
}

// A table of one run that is known without reading the stream.
ARIADNE_INLINE void set_single_run(run_table& table, u32 first, u32 values) {
  table.first[0] = first;
  table.place[0] = 0;
  table.count = values == 0 ? 0 : 1;
  table.begin = 0;
  table.end = values;
  table.has_failed = false;
}

// Calls expand(table, stream) with the whole block for one table after another until the task's
// values are done or an error was raised. `is_single`: the values are one run that `table` holds.
template <typename Expand>
ARIADNE_INLINE void walk_runs(const parquet_task& task, u32 number, kernel_status* status,
                              const value_rule& rule, bool is_single, run_table& table,
                              Expand expand) {
  const parquet::stream_words stream(task);
  if (!is_single && target::thread_index() == 0) {
    table.offset = 0;
    table.end = 0;
  }
  target::block_barrier();
  for (bool goes_on = true; goes_on;) {
    if (!is_single && target::warp_index() == 0) {
      fill_table(task, number, status, stream, rule, table);
    }
    target::block_barrier();
    expand(table, stream);
    goes_on = !is_single && !table.has_failed && table.end < task.skip + task.count;
    target::block_barrier();
  }
}

}  // namespace hybrid
