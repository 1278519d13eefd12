// The tile program on the GPU: one launch, every block runs the whole program over one tile after
// the other. A program with FILTER and stores takes its tiles by ticket, because a tile waits for
// those before it.
#pragma once

#include "aggregate/tile_sink.gpu.cuh"
#include "tile/hash_operations.gpu.cuh"
#include "tile/operations.gpu.cuh"
#include "tile/text_operations.gpu.cuh"
#include "tile/transfer.gpu.cuh"

namespace tile {

// What a launch does besides computing, found by a look at its instructions.
struct program_shape {
  bool has_filter;
  bool has_stores;
};

ARIADNE_INLINE program_shape look_at(const tile_program_args& args) {
  program_shape shape = {false, false};
  for (u32 pc = 0; pc < args.instruction_count; pc++) {
    const u8 op = fetch(args, pc).op;
    shape.has_filter |= op == TILE_FILTER;
    shape.has_stores |= op >= TILE_STORE_BOOL && op <= TILE_STORE_VALIDITY;
  }
  return shape;
}

ARIADNE_INLINE void start_tile(const gpu_tile& tile) {
  u32 items = 0;
#pragma unroll
  for (u32 j = 0; j < kItems; j++) {
    items |= (tile.row(j) < tile.args.rows ? 1u : 0u) << j;
  }
  tile.items() = static_cast<u8>(items);
}

// Runs one instruction that is neither FILTER nor an aggregate; false for an unknown opcode.
template <operation_set Operations>
ARIADNE_INLINE bool run_instruction(const gpu_tile& tile, const tile_instruction& code) {
  if (code.op == TILE_RAISE) {
    raise_where(tile, code);
    return true;
  }
  if (run_load(tile, code) || run_binary(tile, code) || run_compare(tile, code) ||
      run_mask(tile, code) || run_unary(tile, code) || run_overflow(tile, code) ||
      run_store(tile, code) || run_exceeds(tile, code) || run_wide(tile, code) ||
      run_narrow_wide(tile, code)) {
    return true;
  }
  if constexpr (Operations == operation_set::all) {
    return run_decimal(tile, code) || run_digits(tile, code) || run_hash(tile, code) ||
           run_text(tile, code);
  }
  return false;
}

// Whether the launch can run; reports what is missing.
ARIADNE_INLINE bool is_runnable(const tile_program_args& args, const program_shape& shape,
                                u32 tiles) {
  const bool is_reporter = target::block_index() == 0 && target::thread_index() == 0;
  if (args.lane_registers > TILE_MAX_LANES || args.mask_registers > TILE_MAX_MASKS ||
      target::block_size() > kMaxWarps * target::kWarpSize) {
    if (is_reporter) {
      status::raise(args.status, 0, 0, TILE_ERROR_INVALID_PROGRAM);
    }
    return false;
  }
  const u64 needed = shape.has_filter && shape.has_stores ? 8 * pattern::look_back_words(tiles) : 0;
  if (args.workspace_bytes < needed) {
    if (is_reporter) {
      status::need(args.status, needed);
    }
    return false;
  }
  return true;
}

// Runs the program over one tile; false when it is invalid. All threads take the same way. Nothing
// after a filter that drops every row has an effect.
template <operation_set Operations>
ARIADNE_INLINE bool run_tile(gpu_tile& tile, u32 first_aggregate, bool has_stores) {
#pragma clang loop unroll(disable)
  for (u32 pc = 0; pc < first_aggregate; pc++) {
    const tile_instruction code = fetch(tile.args, pc);
    tile.thread = target::opaque(tile.thread);
    if (code.op == TILE_FILTER) {
      apply_filter(tile, code.a, has_stores);
      if (tile.block.kept == 0) {
        return true;
      }
    } else if (!run_instruction<Operations>(tile, code)) {
      if (target::thread_index() == 0) {
        status::raise(tile.args.status, 0, pc, TILE_ERROR_INVALID_PROGRAM);
      }
      return false;
    }
  }
  aggregate::update<Operations == operation_set::all>(tile, first_aggregate);
  return true;
}

// Places of the rows of a tile without FILTER: each warp keeps its 32 rows of each item.
ARIADNE_INLINE void set_places(const gpu_tile& tile) {
  const u32 thread = target::thread_index();
  if (thread < kItems * tile.warps()) {
    tile.block.place[thread] = thread * target::kWarpSize;
  }
}

template <operation_set Operations>
ARIADNE_INLINE void run(const tile_program_args& args) {
  ARIADNE_DYNAMIC_SHARED(u64, shared);
  ARIADNE_SHARED(block_state, block);
  gpu_tile tile = {args, shared, block, 0, target::thread_index()};
  const u32 tile_rows = tile.threads() * kItems;
  const u32 tiles = (args.rows + tile_rows - 1) / tile_rows;
  const program_shape shape = look_at(args);
  if (!is_runnable(args, shape, tiles)) {
    return;
  }
  if (!shape.has_filter && target::block_index() == 0 && target::thread_index() == 0) {
    args.status->rows_out = args.rows;
  }
  const bool is_ordered = shape.has_filter && shape.has_stores;
  const u32 first_aggregate = aggregate::first_aggregate(args);
  set_places(tile);
  aggregate::clear(tile, first_aggregate);
  target::block_barrier();
  u64* tickets = static_cast<u64*>(args.workspace);
  tile.index = is_ordered ? pattern::take_tile(tickets, block.ticket) : target::block_index();
  while (tile.index < tiles) {
    start_tile(tile);
    if (!run_tile<Operations>(tile, first_aggregate, shape.has_stores)) {
      break;
    }
    if (is_ordered) {
      tile.index = pattern::take_tile(tickets, block.ticket);
    } else {
      tile.index += target::grid_size();
      target::block_barrier();  // the next tile's FILTER writes the places
    }
  }
  target::block_barrier();
  aggregate::flush(tile, first_aggregate);
}

}  // namespace tile
