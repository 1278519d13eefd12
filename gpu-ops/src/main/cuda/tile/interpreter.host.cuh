// The tile program on the host: every instruction is a loop over the rows of a tile, vectorised by
// the compiler; the registers in use stay in the first two cache levels. A column of 64-bit values
// is read in place.
#pragma once

#include "aggregate/few_groups.host.cuh"
#include "tile/hash_operations.host.cuh"
#include "tile/lane_operations.host.cuh"
#include "tile/text_operations.host.cuh"
#include "tile/transfer.host.cuh"
#include "tile/wide_operations.host.cuh"

namespace tile {

// How a call cuts up its workspace.
struct host_workspace {
  u64 lane_bytes;
  u64 mask_bytes;
  u64 total_bytes;

  ARIADNE_MEMBER explicit host_workspace(const tile_program_args& args)
      : lane_bytes(static_cast<u64>(args.lane_registers) * kRows * sizeof(i64)),
        mask_bytes(static_cast<u64>(args.mask_registers + 1) * kWords * sizeof(u64)),
        total_bytes(lane_bytes + mask_bytes + kRows * sizeof(u16) + aggregate::kScratchBytes) {}
};

ARIADNE_INLINE host_tile place_registers(const tile_program_args& args,
                                         const host_workspace& layout) {
  u8* room = static_cast<u8*>(args.workspace);
  host_tile tile;
  tile.lane_room = reinterpret_cast<i64*>(room);
  tile.mask_room = reinterpret_cast<u64*>(room + layout.lane_bytes);
  tile.filter = tile.mask_room + args.mask_registers * kWords;
  tile.selection = reinterpret_cast<u16*>(room + layout.lane_bytes + layout.mask_bytes);
  tile.stored = 0;
  for (u32 i = 0; i < TILE_MAX_LANES; i++) {
    tile.lane[i] = tile.lane_room + (i < args.lane_registers ? i : 0) * kRows;
  }
  return tile;
}

// The rows of the tile that starts at first_row; all of them kept.
ARIADNE_INLINE void start_tile(host_tile& tile, u32 first_row, u32 rows) {
  tile.first_row = first_row;
  tile.rows = rows - first_row < kRows ? rows - first_row : kRows;
  tile.words = (tile.rows + 63) / 64;
  tile.selected = tile.rows;
  for (u32 w = 0; w < tile.words; w++) {
    tile.filter[w] = tile.live_bits(w);
  }
}

// Runs one instruction that is no aggregate; false for an unknown opcode.
ARIADNE_INLINE bool run_instruction(host_tile& tile, const tile_program_args& args,
                                    const tile_instruction& code) {
  if (code.op == TILE_RAISE) {
    raise_where(tile, args, code);
    return true;
  }
  if (code.op == TILE_FILTER) {
    apply_filter(tile, tile.mask(code.a));
    return true;
  }
  return run_load(tile, args, code) || run_binary(tile, code) || run_compare(tile, code) ||
         run_mask(tile, code) || run_unary(tile, code) || run_select(tile, code) ||
         run_steps(tile, args, code) || run_store(tile, args, code) || run_overflow(tile, code) ||
         run_unary_wide(tile, code) || run_convert_wide(tile, code) ||
         run_narrow_wide(tile, code) || run_binary_wide(tile, args, code) ||
         run_compare_wide(tile, args, code) || run_hash(tile, args, code) ||
         run_decimal(tile, args, code) || run_text(tile, args, code);
}

// Runs the program over one tile; false when it is invalid. Nothing after a filter that drops every
// row has an effect.
ARIADNE_INLINE bool run_tile(host_tile& tile, const tile_program_args& args, void* scratch) {
  for (u32 pc = 0; pc < args.instruction_count; pc++) {
    const tile_instruction& code = args.instructions[pc];
    if (aggregate::is_aggregate(code.op)) {
      aggregate::update(tile, args, pc, scratch);
      return true;
    }
    if (!run_instruction(tile, args, code)) {
      status::raise(args.status, 0, pc, TILE_ERROR_INVALID_PROGRAM);
      return false;
    }
    if (tile.selected == 0) {
      return true;
    }
  }
  return true;
}

static void run_program(const tile_program_args& args) {
  const host_workspace layout(args);
  if (args.lane_registers > TILE_MAX_LANES || args.mask_registers > TILE_MAX_MASKS) {
    status::raise(args.status, 0, 0, TILE_ERROR_INVALID_PROGRAM);
    return;
  }
  if (args.workspace_bytes < layout.total_bytes) {
    status::need(args.status, layout.total_bytes);
    return;
  }
  host_tile tile = place_registers(args, layout);
  void* scratch = tile.selection + kRows;
  for (u32 row = 0; row < args.rows; row += kRows) {
    if (status::cancelled(args.status)) {
      return;
    }
    start_tile(tile, row, args.rows);
    if (!run_tile(tile, args, scratch)) {
      return;
    }
    tile.stored += tile.selected;
  }
  args.status->rows_out = tile.stored;
}

// The host has one interpreter for both kernels.
template <operation_set>
ARIADNE_INLINE void run(const tile_program_args& args) {
  run_program(args);
}

}  // namespace tile
