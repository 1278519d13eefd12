package io.ariadne.replay;

import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.TileInstructionLayout;
import io.ariadne.kernel.abi.TileLimit;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.abi.TileOutputLayout;
import io.ariadne.kernel.abi.TileProgramArgsLayout;
import io.ariadne.kernel.tile.TileProgramKernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Builds a replay case of the kernel {@code tile_program} out of columns and instructions. */
final class TileCase {

  private static final String KERNEL = "tile_program";
  private static final int WORKSPACE_BYTES = 1 << 20;
  private static final int MIN_MEASURED_ROWS = 1 << 16;
  private static final int LANE_BYTES_PER_THREAD = 8 * TileLimit.TILE_GPU_ITEMS;

  private final ReplayCase replay;
  private final int rows;
  private final List<byte[]> instructions = new ArrayList<>();
  private final List<int[]> inputs = new ArrayList<>();
  private final List<int[]> outputs = new ArrayList<>();
  private int lanes;
  private int masks = 1;
  private int accumulators = -1;
  private int groupCount;
  private int copies;
  private int accumulatorWords;
  private long bytesMoved;

  TileCase(String name, int rows) {
    this.replay = new ReplayCase(name + ", " + rows + " rows", KERNEL);
    this.rows = rows;
  }

  /** Adds an input column and returns this. */
  TileCase input(int kind, byte[] data) {
    return input(kind, data, new byte[0]);
  }

  /** Adds an input column with nulls and returns this. */
  TileCase input(int kind, byte[] data, byte[] validity) {
    int number = replay.add("input " + inputs.size(), data);
    replay.buffer(number).scaling();
    int validityNumber = -1;
    if (validity.length > 0) {
      validityNumber = replay.add("validity " + inputs.size(), validity);
      replay.buffer(validityNumber).scaling();
    }
    inputs.add(new int[] {kind, number, validityNumber});
    bytesMoved += data.length + validity.length;
    return this;
  }

  /** Adds an output column with a validity bitmap and returns this. */
  TileCase output(int bytesPerRow) {
    int data = replay.zeroed("output " + outputs.size(), padded(rows * bytesPerRow));
    int validity = replay.zeroed("output validity " + outputs.size(), padded(rows / 8 + 1));
    replay.buffer(data).scaling().expectRows(bytesPerRow * Byte.SIZE);
    replay.buffer(validity).scaling().expectRows(1);
    outputs.add(new int[] {data, validity});
    bytesMoved += (long) rows * bytesPerRow;
    return this;
  }

  /**
   * Adds accumulators and returns this.
   *
   * @param groups groups, not counting the trash slot
   * @param words 64-bit words that one group takes in shared memory
   * @param sizeInBytes of all accumulators
   */
  TileCase accumulators(int groups, int words, int sizeInBytes) {
    groupCount = groups;
    accumulatorWords = words;
    copies = 32;
    while (copies > 1 && 8 * copies * groups * words > 32 << 10) {
      copies /= 2;
    }
    accumulators = replay.zeroed("accumulators", padded(sizeInBytes));
    return this;
  }

  /** Expects the slots of the groups of one accumulator. */
  TileCase expectAccumulator(int offset, int length) {
    replay.buffer(accumulators).expectBytes(offset, length);
    return this;
  }

  /** Says how many registers the program uses. */
  TileCase registers(int laneRegisters, int maskRegisters) {
    lanes = laneRegisters;
    masks = maskRegisters;
    return this;
  }

  /** Adds an instruction without constant. */
  TileCase op(TileOpcode opcode, int dst, int a, int b) {
    return op(opcode, dst, a, b, TileLimit.TILE_NO_REGISTER, 0, 0, 0);
  }

  /** Adds an instruction whose operand b is a constant. */
  TileCase constant(TileOpcode opcode, int dst, int a, long imm) {
    return op(opcode, dst, a, 0, TileLimit.TILE_NO_REGISTER, 2, 0, imm);
  }

  /** Adds an aggregate over all rows that the filter keeps. */
  TileCase aggregate(TileOpcode opcode, int a, int group, int stride, int offset) {
    return op(opcode, 0, a, group, TileLimit.TILE_NO_REGISTER, 0, stride, offset);
  }

  private TileCase op(
      TileOpcode opcode, int dst, int a, int b, int mask, int flags, int aux, long imm) {
    byte[] code = new byte[TileInstructionLayout.SIZE_IN_BYTES];
    ByteBuffer fields = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN);
    fields.put(TileInstructionLayout.OP_OFFSET, (byte) opcode.code());
    fields.put(TileInstructionLayout.DST_OFFSET, (byte) dst);
    fields.put(TileInstructionLayout.A_OFFSET, (byte) a);
    fields.put(TileInstructionLayout.B_OFFSET, (byte) b);
    fields.put(TileInstructionLayout.MASK_OFFSET, (byte) mask);
    fields.put(TileInstructionLayout.FLAGS_OFFSET, (byte) flags);
    fields.putShort(TileInstructionLayout.AUX_OFFSET, (short) aux);
    fields.putLong(TileInstructionLayout.IMM_OFFSET, imm);
    instructions.add(code);
    return this;
  }

  /** Returns the finished case. */
  ReplayCase build() {
    ByteBuffer program =
        ByteBuffer.allocate(instructions.size() * TileInstructionLayout.SIZE_IN_BYTES);
    instructions.forEach(program::put);
    int code = replay.add("instructions", program.array());
    int workspace = replay.zeroed("workspace", WORKSPACE_BYTES);
    replay.buffer(workspace).scaling();
    int block = TileProgramKernel.blockSize(ReplayCase.blockSize(KERNEL), lanes, masks);
    int shared =
        block * (LANE_BYTES_PER_THREAD * lanes + masks)
            + 8 * copies * groupCount * accumulatorWords;
    int tileRows = block * TileLimit.TILE_GPU_ITEMS;
    ReplayLaunch launch =
        replay.launch(
            Math.max(1, (rows + tileRows - 1) / tileRows),
            block,
            shared,
            TileProgramArgsLayout.SIZE_IN_BYTES);
    launch
        .pointer(TileProgramArgsLayout.INSTRUCTIONS_OFFSET, code)
        .pointer(TileProgramArgsLayout.WORKSPACE_OFFSET, workspace)
        .putLong(TileProgramArgsLayout.WORKSPACE_BYTES_OFFSET, WORKSPACE_BYTES)
        .putInt(TileProgramArgsLayout.ROWS_OFFSET, rows)
        .putInt(TileProgramArgsLayout.INSTRUCTION_COUNT_OFFSET, instructions.size())
        .putInt(TileProgramArgsLayout.LANE_REGISTERS_OFFSET, lanes)
        .putInt(TileProgramArgsLayout.MASK_REGISTERS_OFFSET, masks)
        .putInt(TileProgramArgsLayout.GROUP_COUNT_OFFSET, groupCount)
        .putInt(TileProgramArgsLayout.ACCUMULATOR_COPIES_OFFSET, copies);
    if (accumulators >= 0) {
      launch.pointer(TileProgramArgsLayout.ACCUMULATORS_OFFSET, accumulators);
    }
    columns(launch);
    if (!outputs.isEmpty()) {
      replay.onlyOnce(); // blocks find where to write by what others say in the workspace
    }
    return rows < MIN_MEASURED_ROWS
        ? replay
        : replay.measured(rows, bytesMoved, TileProgramArgsLayout.ROWS_OFFSET);
  }

  private void columns(ReplayLaunch launch) {
    for (int i = 0; i < inputs.size(); i++) {
      int view = TileProgramArgsLayout.INPUTS_OFFSET + i * TileProgramArgsLayout.INPUTS_STRIDE;
      launch.putInt(view + ColumnViewLayout.KIND_OFFSET, inputs.get(i)[0]);
      launch.pointer(view + ColumnViewLayout.DATA_OFFSET, inputs.get(i)[1]);
      if (inputs.get(i)[2] >= 0) {
        launch.pointer(view + ColumnViewLayout.VALIDITY_OFFSET, inputs.get(i)[2]);
      }
    }
    for (int i = 0; i < outputs.size(); i++) {
      int output = TileProgramArgsLayout.OUTPUTS_OFFSET + i * TileProgramArgsLayout.OUTPUTS_STRIDE;
      launch.pointer(output + TileOutputLayout.DATA_OFFSET, outputs.get(i)[0]);
      launch.pointer(output + TileOutputLayout.VALIDITY_OFFSET, outputs.get(i)[1]);
    }
  }

  private static int padded(int sizeInBytes) {
    return (sizeInBytes + 63) & -64;
  }
}
