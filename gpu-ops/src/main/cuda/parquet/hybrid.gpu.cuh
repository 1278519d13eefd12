// GPU form; included by hybrid.cuh only.
#pragma once

#include "parquet/runs.gpu.cuh"

namespace hybrid {

inline constexpr u32 kItems = 8;
inline constexpr u32 kWarpBits = kItems * target::kWarpSize;
inline constexpr u32 kMaxWarps = 8;

struct bits_scratch {
  run_table table;
  parquet_counts counts[kMaxWarps];
};

// What a stream of levels or booleans is, and where what was counted goes.
struct bits_source {
  level_rule rule;
  u32 width;
  bool is_single;  // the values are one run, known without reading the stream
  u32 first;       // that run's entry in the table
  parquet_counts* counts;
};

// Bits of a table's values to the words they belong to, counting them. The whole block.
struct bit_writer {
  const parquet_task& task;
  u32 number;
  kernel_status* status;
  level_rule rule;
  u32 width;
  u32 skipped = 0;  // of this warp, the same in all lanes
  u32 counted = 0;

  // Whether value `at` of the task is a set bit; raises an error for a level above the maximum.
  ARIADNE_MEMBER bool reaches(const run_table& table, const parquet::stream_words& stream,
                              u32 at) const {
    const table_value found = find_value(table, table.count, stream, width, at);
    if (found.value > rule.maximum) {
      parquet::raise(status, number, found.offset, PARQUET_ERROR_LEVEL);
    }
    return found.value >= rule.threshold;
  }

  // Values are numbered so that those of one output word lie in one warp: value v is `place` v +
  // lead, whose lowest five bits are those of its bit in the output.
  ARIADNE_MEMBER void write(const run_table& table, const parquet::stream_words& stream) {
    const u32 lane = target::lane_index();
    const u32 lead = static_cast<u32>(task.aux - task.skip) % 32;
    const u64 base = (task.aux - task.skip - lead) / 32;  // of u64: modulo 2^59, as is the sum
    const u64 from = static_cast<u64>(table.begin) + lead;
    const u64 to = static_cast<u64>(table.end) + lead;
    const u32 step = target::block_size() * kItems;
    for (u64 place = from / 32 * 32 + target::warp_index() * kWarpBits; place < to; place += step) {
      u32 own = 0;
      for (u32 k = 0; k < kItems; k++) {
        const u64 at = place + k * target::kWarpSize + lane;
        const bool is_in = at >= from && at < to;
        const u32 value = static_cast<u32>(at - lead);
        const bool is_set = is_in && reaches(table, stream, value);
        const u32 bits = target::ballot(is_set && value >= task.skip);
        counted += static_cast<u32>(__builtin_popcount(bits));
        skipped += static_cast<u32>(__builtin_popcount(target::ballot(is_set))) -
                   static_cast<u32>(__builtin_popcount(bits));
        own = lane == k ? bits : own;
      }
      if (own != 0) {
        const u64 word = (base + place / 32 + lane) & (~u64{0} >> 5);
        u32* const words = static_cast<u32*>(task.out);
        target::atomic_or<target::order::relaxed>(words + word, own);
      }
    }
  }
};

// Adds up what the warps counted. The whole block; holds two barriers.
ARIADNE_INLINE void write_counts(bits_scratch& scratch, u32 skipped, u32 counted,
                                 parquet_counts* counts, u32 number) {
  if (target::lane_index() == 0) {
    scratch.counts[target::warp_index()] = {skipped, counted};
  }
  target::block_barrier();
  if (target::thread_index() == 0 && counts != nullptr) {
    parquet_counts sum{0, 0};
    for (u32 warp = 0; warp < target::block_size() / target::kWarpSize; warp++) {
      sum.skipped += scratch.counts[warp].skipped;
      sum.counted += scratch.counts[warp].counted;
    }
    counts[number] = sum;
  }
  target::block_barrier();
}

ARIADNE_INLINE value_rule repeated_rule(level_rule rule) {
  return {rule.maximum, false, 0, PARQUET_ERROR_LEVEL};
}

// Levels or booleans of one task to bits.
ARIADNE_INLINE void bits_task(const parquet_task& task, u32 number, const bits_source& source,
                              kernel_status* status, bits_scratch& scratch) {
  bit_writer writer{task, number, status, source.rule, source.width};
  if (source.is_single && target::thread_index() == 0) {
    set_single_run(scratch.table, source.first, task.skip + task.count);
  }
  walk_runs(task, number, status, repeated_rule(source.rule), source.is_single, scratch.table,
            [&](const run_table& table, const parquet::stream_words& stream) {
              writer.write(table, stream);
            });
  write_counts(scratch, writer.skipped, writer.counted, source.counts, number);
}

ARIADNE_FUNCTION void run_validity(const parquet_validity_args& args) {
  ARIADNE_SHARED(bits_scratch, scratch);
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (has_width(task, kMaxValidityWidth, args.status, number, target::thread_index() == 0)) {
      const bits_source source{validity_rule(task), task.width, task.width == 0, 0, args.counts};
      bits_task(task, number, source, args.status, scratch);
    }
  });
}

// Whether the plain booleans are all there; raises an error if not.
ARIADNE_INLINE bool has_plain_bits(const parquet_task& task, u32 number, kernel_status* status) {
  if (static_cast<u64>(task.skip) + task.count <= task.data_bytes * 8) {
    return true;
  }
  if (target::thread_index() == 0) {
    parquet::raise(status, number, task.data_bytes, PARQUET_ERROR_TRUNCATED);
  }
  return false;
}

ARIADNE_FUNCTION void run_bits(const parquet_bits_args& args) {
  ARIADNE_SHARED(bits_scratch, scratch);
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    const bool is_plain = task.width == 0;
    if (has_width(task, 1, args.status, number, target::thread_index() == 0) &&
        (!is_plain || has_plain_bits(task, number, args.status))) {
      const bits_source source{{~0u, 1}, 1, is_plain, kPackedFlag, nullptr};
      bits_task(task, number, source, args.status, scratch);
    }
  });
}

// One thread's share of a table's values to bytes.
ARIADNE_INLINE void write_levels(const parquet_task& task, u32 number, kernel_status* status,
                                 const run_table& table, const parquet::stream_words& stream,
                                 parquet_counts& counts) {
  u8* const out = static_cast<u8*>(task.out);
  for (u32 at = table.begin + target::thread_index(); at < table.end; at += target::block_size()) {
    const table_value found = find_value(table, table.count, stream, task.width, at);
    if (found.value > task.limit) {
      parquet::raise(status, number, found.offset, PARQUET_ERROR_LEVEL);
    }
    const u32 is_largest = found.value == task.limit;
    if (at < task.skip) {
      counts.skipped += is_largest;
    } else {
      counts.counted += is_largest;
      target::store(out + (at - task.skip), static_cast<u8>(found.value));
    }
  }
}

ARIADNE_FUNCTION void run_levels(const parquet_levels_args& args) {
  ARIADNE_SHARED(bits_scratch, scratch);
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (!has_width(task, kMaxLevelWidth, args.status, number, target::thread_index() == 0)) {
      return;
    }
    const bool is_single = task.width == 0;
    if (is_single && target::thread_index() == 0) {
      set_single_run(scratch.table, 0, task.skip + task.count);
    }
    parquet_counts own{0, 0};
    walk_runs(task, number, args.status, repeated_rule(levels_rule(task)), is_single, scratch.table,
              [&](const run_table& table, const parquet::stream_words& stream) {
                write_levels(task, number, args.status, table, stream, own);
              });
    write_counts(scratch, pattern::warp_sum(own.skipped), pattern::warp_sum(own.counted),
                 args.counts, number);
  });
}

// One thread's share of a table's dictionary indices.
ARIADNE_INLINE void write_codes(const parquet_task& task, u32 number, kernel_status* status,
                                const run_table& table, const parquet::stream_words& stream) {
  u32* const out = static_cast<u32*>(task.out);
  const u32 begin = table.begin > task.skip ? table.begin : task.skip;
  for (u32 at = begin + target::thread_index(); at < table.end; at += target::block_size()) {
    const table_value found = find_value(table, table.count, stream, task.width, at);
    const bool is_entry = found.value < task.limit;
    if (!is_entry) {
      parquet::raise(status, number, found.offset, PARQUET_ERROR_INDEX);
    }
    // Launches that are queued behind this one look entries up before the error is known.
    target::store(out + (at - task.skip), is_entry ? found.value : 0);
  }
}

ARIADNE_FUNCTION void run_codes(const parquet_codes_args& args) {
  ARIADNE_SHARED(run_table, table);
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (!has_width(task, kMaxCodeWidth, args.status, number, target::thread_index() == 0)) {
      return;
    }
    const bool is_single = task.width == 0;
    if (is_single && target::thread_index() == 0) {
      set_single_run(table, 0, task.skip + task.count);
    }
    const value_rule rule{task.limit - 1, task.limit == 0, task.skip, PARQUET_ERROR_INDEX};
    walk_runs(task, number, args.status, rule, is_single, table,
              [&](const run_table& runs, const parquet::stream_words& stream) {
                write_codes(task, number, args.status, runs, stream);
              });
  });
}

}  // namespace hybrid
