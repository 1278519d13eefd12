#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"

// A tile program evaluates expressions, a filter and aggregates over one batch, tile by tile, so
// that intermediate values never leave the first-level cache (host) or shared memory (GPU).
// Programs are written by the Java expression compiler; opcodes.def says what each instruction
// does.

// Numbers of the operations: TILE_ADD_I64 and so on.
enum tile_opcode : u8 {
#define OPCODE(name, number, doc) TILE_##name = number,
#include "tile/opcodes.def"
#undef OPCODE
};

// Bits of tile_instruction.flags.
enum tile_flag : u8 {
  TILE_A_CONSTANT = 1,
  TILE_B_CONSTANT = 2,
  TILE_CODED = 4,  // loads: input a has 32-bit codes, which are rows of input b, the dictionary
};

// Limits of a program, and sizes the caller needs.
enum tile_limit : u32 {
  TILE_MAX_LANES = 24,          // 64-bit registers
  TILE_MAX_MASKS = 32,          // mask registers
  TILE_MAX_INSTRUCTIONS = 255,  // instructions of one program
  TILE_MAX_INPUTS = 32,
  TILE_MAX_OUTPUTS = 16,
  TILE_MAX_AGGREGATES = 24,
  TILE_NO_REGISTER = 255,          // "none" in the fields mask and b
  TILE_HOST_ROWS = 2048,           // rows of one tile on the host
  TILE_GPU_THREADS = 256,          // most threads of a block on the GPU
  TILE_GPU_DECIMAL_THREADS = 128,  // the same of tile_program_decimal
  TILE_GPU_ITEMS = 4,              // rows of one thread in one tile on the GPU
};

// Error codes that the kernels themselves raise; RAISE uses 1 to 239.
enum tile_error : u8 {
  TILE_ERROR_INVALID_PROGRAM = 240,  // unknown opcode or register; expression = instruction number
  TILE_ERROR_INVALID_GROUP = 241,    // a live row's group number is not below group_count
};

// One instruction, 16 bytes. Fields without a meaning for the opcode are ignored.
struct alignas(16) tile_instruction {
  u8 op;     // tile_opcode
  u8 dst;    // destination register, or output column
  u8 a;      // first operand: register, or input column
  u8 b;      // second operand: register, or dictionary of a coded load
  u8 mask;   // mask operand, or the mask register that receives the overflow
  u8 flags;  // tile_flag
  u16 aux;   // expression number (RAISE), accumulator stride in bytes (AGG_*)
  i64 imm;   // constant, scale, error code, accumulator offset
};

// A slot of the constant pool: a 128-bit integer.
struct alignas(16) tile_constant {
  u64 low;
  i64 high;
};

// A column that a program writes. Both buffers are padded to 64 bytes.
struct tile_output {
  void* data;     // null when the program stores only validity
  u64* validity;  // written by STORE_VALIDITY; zeroed by the caller; null when not stored
};

// Arguments of kernels tile_program and tile_program_decimal. The instructions, constants,
// workspace and accumulators live in the memory of the device that runs the kernel.
struct tile_program_args {
  kernel_status* status;                 // rows_out: rows stored or aggregated
  const tile_instruction* instructions;  // instruction_count of them
  const tile_constant* constants;        // the pool, null when unused
  u8* accumulators;                      // null without AGG instructions; 16-byte aligned
  // Host: scratch of any content. GPU: look-back words, zeroed, 8 * (1 + tiles) bytes, only when a
  // program has FILTER and a store.
  void* workspace;
  u64 workspace_bytes;     // when too small, status.needed tells the size and nothing is done
  u32 rows;                // rows of the batch
  u32 row_base;            // added to row numbers in error words
  u32 instruction_count;   // at most TILE_MAX_INSTRUCTIONS
  u32 lane_registers;      // registers the program uses, at most TILE_MAX_LANES
  u32 mask_registers;      // at most TILE_MAX_MASKS
  u32 group_count;         // accumulators per aggregate, not counting the one trash slot after them
  u32 accumulator_copies;  // GPU: copies per block in shared memory, a power of two up to 32, or 0
  u32 reserved;
  column_view inputs[TILE_MAX_INPUTS];
  tile_output outputs[TILE_MAX_OUTPUTS];
};
