#pragma once

#include "pattern/block_scan.gpu.cuh"
#include "pattern/look_back.gpu.cuh"

namespace litmus {

// Memory of a launch: one line for the ticket, then 8 bytes and 32 bytes a row.
template <typename Arguments>
ARIADNE_INLINE u64* ticket(const Arguments& args) {
  return reinterpret_cast<u64*>(args.memory);
}

inline constexpr u32 kHeaderBytes = 64;

// Blocks with an even ticket write a word and release a flag; the next block acquires the flag and
// must see the word.
template <typename Arguments>
ARIADNE_FUNCTION void message_passing(const Arguments& args) {
  ARIADNE_SHARED(u32, slot);
  u32* const words = reinterpret_cast<u32*>(args.memory + kHeaderBytes);
  u32* const flags = words + args.rows;
  const u32 pairs = (args.rows + target::block_size() - 1) / target::block_size();
  for (u32 tile = pattern::take_tile(ticket(args), slot); tile < 2 * pairs;
       tile = pattern::take_tile(ticket(args), slot)) {
    const u32 row = tile / 2 * target::block_size() + target::thread_index();
    if (row >= args.rows) {
      continue;
    }
    // Neighbouring rows' words are far apart from their flags and written by other threads.
    if (tile % 2 == 0) {
      words[row] = row + 1;
      target::atomic_store<target::order::release>(flags + row, 1u);
    } else {
      while (target::atomic_load<target::order::acquire>(flags + row) == 0) {
        target::spin_pause();
      }
      record(args.status, words[row] == row + 1);
    }
  }
}

inline constexpr u32 kScanItems = 4;

// Row i carries i % 8, so the sum before it is known.
ARIADNE_INLINE u64 sum_before(u64 row) {
  const u64 rest = row % 8;
  return row / 8 * 28 + rest * (rest - 1) / 2;
}

template <typename Arguments>
ARIADNE_FUNCTION void look_back(const Arguments& args) {
  ARIADNE_SHARED(u32, slot);
  ARIADNE_SHARED(u64, before_tile);
  ARIADNE_SHARED(pattern::block_sum_scratch<u64>, scratch);
  const u32 tile_rows = target::block_size() * kScanItems;
  const u32 tiles = (args.rows + tile_rows - 1) / tile_rows;
  for (u32 tile = pattern::take_tile(ticket(args), slot); tile < tiles;
       tile = pattern::take_tile(ticket(args), slot)) {
    const u32 first = tile * tile_rows + target::thread_index() * kScanItems;
    u64 sum = 0;
    for (u32 i = 0; i < kScanItems; i++) {
      sum += first + i < args.rows ? (first + i) % 8 : 0;
    }
    u64 total;
    u64 before = pattern::block_exclusive_sum(sum, scratch, total);
    if (target::warp_index() == 0) {
      const u64 found = pattern::look_back(ticket(args), tile, total);
      if (target::lane_index() == 0) {
        before_tile = found;
      }
    }
    target::block_barrier();
    before += before_tile;
    for (u32 i = 0; i < kScanItems && first + i < args.rows; i++) {
      record(args.status, before == sum_before(first + i));
      before += (first + i) % 8;
    }
  }
}

// One slot of the table: the payload is written plainly between claiming and releasing the tag.
struct slot {
  u32 tag;  // 0 = free, 1 = claimed, 2 = filled
  u32 key;
  u64 payload;
};

inline constexpr u32 kRowsPerKey = 16;

ARIADNE_INLINE u32 mix(u32 value) {
  value ^= value >> 16;
  value *= 0x7feb352d;
  value ^= value >> 15;
  value *= 0x846ca68b;
  return value ^ value >> 16;
}

// Finds the key's slot, making it if need be; returns its payload.
template <typename Arguments>
ARIADNE_FUNCTION u64 find_or_insert(const Arguments& args, slot* table, u32 slots, u32 key) {
  for (u32 at = mix(key) % slots;; at = (at + 1) % slots) {
    slot* const s = table + at;
    u32 tag = target::atomic_load<target::order::acquire>(&s->tag);
    if (tag == 0) {
      tag = target::atomic_compare_exchange<target::order::acquire>(&s->tag, 0u, 1u);
      if (tag == 0) {
        s->key = key;
        s->payload = ~static_cast<u64>(key);
        target::atomic_store<target::order::release>(&s->tag, 2u);
        target::atomic_add<target::order::relaxed>(&args.status->detail[2], u64{1});
        return ~static_cast<u64>(key);
      }
    }
    while (tag == 1) {
      target::spin_pause();
      tag = target::atomic_load<target::order::acquire>(&s->tag);
    }
    if (s->key == key) {
      return s->payload;
    }
  }
}

template <typename Arguments>
ARIADNE_FUNCTION void insert_then_probe(const Arguments& args) {
  slot* const table = reinterpret_cast<slot*>(args.memory + kHeaderBytes);
  const u32 keys = args.rows / kRowsPerKey + 1;
  const u32 slots = 2 * keys;
  const u32 threads = target::grid_size() * target::block_size();
  for (u32 row = target::block_index() * target::block_size() + target::thread_index();
       row < args.rows; row += threads) {
    const u32 key = mix(row % keys);
    record(args.status, find_or_insert(args, table, slots, key) == ~static_cast<u64>(key));
  }
}

}  // namespace litmus
