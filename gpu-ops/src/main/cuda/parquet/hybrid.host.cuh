// Host form; included by hybrid.cuh only.
#pragma once

#include "parquet/bits.host.cuh"
#include "parquet/runs.host.cuh"

namespace hybrid {

using bits64 = bool __attribute__((ext_vector_type(64)));
using words64 = u32 __attribute__((ext_vector_type(64)));

// Levels of one bit, or booleans, to bits.
struct bitwise_sink {
  parquet::bit_writer writer;
  u32 maximum;  // a repeated level may exceed it; ~0 for booleans, which are what is not 0
  u64 skipped = 0;
  parquet_error error = {};
  u64 error_offset = 0;

  ARIADNE_MEMBER bool repeat(u32 value, const run_body& body, u32 skip, u32 count) {
    if (value > maximum) {
      error = PARQUET_ERROR_LEVEL;
      error_offset = body.offset;
      return false;
    }
    skipped += value != 0 ? skip : 0;
    writer.append_repeated(value != 0, count);
    return true;
  }

  ARIADNE_MEMBER bool unpack(const run_body& body, u32 skip, u32 count) {
    if (skip > 0) {
      skipped += parquet::count_bits(body.at, 0, skip);
    }
    writer.append_from(body.at, skip, count);
    return true;
  }
};

// Unpacks levels of any width and passes them to Out.
template <typename Out>
struct level_sink {
  Out out;
  level_rule rule;
  u32 width;
  kernel_status* status;
  u64 skipped = 0;
  u64 counted = 0;
  parquet_error error = {};
  u64 error_offset = 0;

  ARIADNE_MEMBER bool fail(u64 offset) {
    error = PARQUET_ERROR_LEVEL;
    error_offset = offset;
    return false;
  }

  ARIADNE_MEMBER bool repeat(u32 value, const run_body& body, u32 skip, u32 count) {
    if (value > rule.maximum) {
      return fail(body.offset);
    }
    skipped += value >= rule.threshold ? skip : 0;
    counted += value >= rule.threshold ? count : 0;
    out.repeat(value, value >= rule.threshold, count);
    return true;
  }

  // Checks unpacked levels and returns how many reach the threshold.
  ARIADNE_MEMBER bool check(const run_body& body, const u32* values, u32 count, u32 first,
                            u64& reached) {
    if (largest(values, count) > rule.maximum) {
      return fail(offset_above(body, width, values, first, rule.maximum));
    }
    u32 found = 0;
    for (u32 i = 0; i < count; i++) {
      found += values[i] >= rule.threshold;
    }
    reached += found;
    return true;
  }

  ARIADNE_MEMBER bool unpack(const run_body& body, u32 skip, u32 count) {
    return for_unpacked(body, width, 0, skip, status,
                        [&](const u32* values, u32 piece, u32 first) {
                          return check(body, values, piece, first, skipped);
                        }) &&
           for_unpacked(body, width, skip, count, status,
                        [&](const u32* values, u32 piece, u32 first) {
                          if (!check(body, values, piece, first, counted)) {
                            return false;
                          }
                          out.append(values, piece, rule.threshold);
                          return true;
                        });
  }
};

struct validity_out {
  parquet::bit_writer writer;

  ARIADNE_MEMBER void repeat(u32, bool is_reached, u32 count) {
    writer.append_repeated(is_reached, count);
  }

  ARIADNE_MEMBER void append(const u32* values, u32 count, u32 threshold) {
    u32 i = 0;
    for (; i + 64 <= count; i += 64) {
      words64 levels;
      __builtin_memcpy(&levels, values + i, sizeof(levels));
      const bits64 reached = __builtin_convertvector(levels >= threshold, bits64);
      writer.append(__builtin_bit_cast(u64, reached), 64);
    }
    u64 bits = 0;
    for (u32 k = 0; i + k < count; k++) {
      bits |= static_cast<u64>(values[i + k] >= threshold) << k;
    }
    if (i < count) {
      writer.append(bits, count - i);
    }
  }
};

struct byte_out {
  u8* next;

  ARIADNE_MEMBER void repeat(u32 value, bool, u32 count) {
    __builtin_memset(next, static_cast<int>(value), count);
    next += count;
  }

  ARIADNE_MEMBER void append(const u32* values, u32 count, u32) {
    for (u32 i = 0; i < count; i++) {
      next[i] = static_cast<u8>(values[i]);
    }
    next += count;
  }
};

// Raises a sink's error, or writes its counts.
template <typename Sink>
ARIADNE_INLINE void finish(const Sink& sink, u64 counted, kernel_status* status,
                           parquet_counts* counts, u32 number) {
  if (sink.error != 0) {
    parquet::raise(status, number, sink.error_offset, sink.error);
  } else if (counts != nullptr) {
    counts[number] = {static_cast<u32>(sink.skipped), static_cast<u32>(counted)};
  }
}

ARIADNE_FUNCTION void bitwise_task(const parquet_task& task, u32 number, u32 maximum,
                                   kernel_status* status, parquet_counts* counts) {
  bitwise_sink sink{parquet::bit_writer(task.out, task.aux), maximum};
  walk_runs(task, number, status, sink);
  sink.writer.finish();
  finish(sink, sink.writer.ones(), status, counts, number);
}

template <typename Out>
ARIADNE_FUNCTION level_sink<Out> level_task(const parquet_task& task, u32 number, level_rule rule,
                                            Out out, kernel_status* status,
                                            parquet_counts* counts) {
  level_sink<Out> sink{out, rule, task.width, status};
  walk_runs(task, number, status, sink);
  finish(sink, sink.counted, status, counts, number);
  return sink;
}

ARIADNE_FUNCTION void run_validity(const parquet_validity_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    const level_rule rule = validity_rule(task);
    if (!has_width(task, kMaxValidityWidth, args.status, number, true)) {
      return;
    }
    if (is_bitwise(task, rule)) {
      bitwise_task(task, number, rule.maximum, args.status, args.counts);
      return;
    }
    const validity_out out{parquet::bit_writer(task.out, task.aux)};
    level_task(task, number, rule, out, args.status, args.counts).out.writer.finish();
  });
}

ARIADNE_FUNCTION void run_levels(const parquet_levels_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (has_width(task, kMaxLevelWidth, args.status, number, true)) {
      const byte_out out{static_cast<u8*>(task.out)};
      level_task(task, number, levels_rule(task), out, args.status, args.counts);
    }
  });
}

ARIADNE_FUNCTION void plain_bits(const parquet_task& task, u32 number, kernel_status* status) {
  if (static_cast<u64>(task.skip) + task.count > task.data_bytes * 8) {
    parquet::raise(status, number, task.data_bytes, PARQUET_ERROR_TRUNCATED);
    return;
  }
  parquet::bit_writer writer(task.out, task.aux);
  writer.append_from(task.data, task.skip, task.count);
  writer.finish();
}

ARIADNE_FUNCTION void run_bits(const parquet_bits_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (!has_width(task, 1, args.status, number, true)) {
      return;
    }
    if (task.width == 0) {
      plain_bits(task, number, args.status);
    } else {
      bitwise_task(task, number, ~0u, args.status, nullptr);
    }
  });
}

using words16 = u32 __attribute__((ext_vector_type(16)));

struct code_sink {
  u32* next;
  u32 room;  // values still to come
  u32 limit;
  u32 width;
  kernel_status* status;
  u32 number;

  ARIADNE_MEMBER bool fail(u64 offset) const {
    parquet::raise(status, number, offset, PARQUET_ERROR_INDEX);
    return false;
  }

  ARIADNE_MEMBER void advance(u32 count) {
    next += count;
    room -= count;
  }

  // Writes whole vectors where the values behind the run are still to come.
  ARIADNE_MEMBER bool repeat(u32 value, const run_body& body, u32, u32 count) {
    if (count > 0 && value >= limit) {
      return fail(body.offset);
    }
    const words16 values = value;
    u32 i = 0;
    for (; i < count && room - i >= 16; i += 16) {
      __builtin_memcpy(next + i, &values, sizeof(values));
    }
    for (; i < count; i++) {
      next[i] = value;
    }
    advance(count);
    return true;
  }

  ARIADNE_MEMBER bool check(const run_body& body, const u32* values, u32 count, u32 first) const {
    if (u64{1} << width <= limit || largest(values, count) < limit) {
      return true;
    }
    return fail(limit == 0 ? body.offset + static_cast<u64>(first) * width / 8
                           : offset_above(body, width, values, first, limit - 1));
  }

  // Values whose first is not at a byte boundary, up to the next group.
  ARIADNE_MEMBER bool unpack_lead(const run_body& body, u32& skip, u32& count) {
    alignas(64) u32 values[8];
    const u32 lead = skip % 8;
    const u32 piece = count < 8 - lead ? count : 8 - lead;
    unpack_values(body, width, skip - lead, values, lead + piece, status);
    __builtin_memcpy(next, values + lead, piece * sizeof(u32));
    if (!check(body, next, piece, skip)) {
      return false;
    }
    advance(piece);
    skip += piece;
    count -= piece;
    return true;
  }

  // As many values as there are, or more where they may be written.
  ARIADNE_MEMBER u32 rounded(const run_body& body, u32 first, u32 count) const {
    const u32 values = whole_groups(body, width, first, count);
    return values <= room ? values : count;
  }

  ARIADNE_MEMBER bool unpack(const run_body& body, u32 skip, u32 count) {
    if (count > 0 && skip % 8 != 0 && !unpack_lead(body, skip, count)) {
      return false;
    }
    while (count > 0) {
      const u32 piece = count < kTileValues ? count : kTileValues;
      unpack_values(body, width, skip, next, rounded(body, skip, piece), status);
      if (!check(body, next, piece, skip)) {
        return false;
      }
      advance(piece);
      skip += piece;
      count -= piece;
    }
    return true;
  }
};

ARIADNE_FUNCTION void run_codes(const parquet_codes_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (has_width(task, kMaxCodeWidth, args.status, number, true)) {
      u32* out = static_cast<u32*>(task.out);
      code_sink sink{out, task.count, task.limit, task.width, args.status, number};
      walk_runs(task, number, args.status, sink);
    }
  });
}

}  // namespace hybrid
