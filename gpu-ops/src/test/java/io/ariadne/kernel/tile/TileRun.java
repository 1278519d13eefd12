package io.ariadne.kernel.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.TileConstantLayout;
import io.ariadne.kernel.abi.TileInstructionLayout;
import io.ariadne.kernel.abi.TileLimit;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.abi.TileOutputLayout;
import io.ariadne.kernel.abi.TileProgramArgsLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One launch of the kernel of a tile program with everything it touches: written straight to the
 * argument block, so that the suites test the kernel alone. Closes all its buffers.
 */
final class TileRun implements AutoCloseable {
  private static final int WORKSPACE_BYTES = 1 << 20;
  private static final int ROWS_PER_WORD = 64;
  private static final int INLINE = 12;
  private static final int MAX_GAP = 3;

  /** The data, the validity and the table of heaps of an input come before its heaps. */
  private static final int BUFFERS_BEFORE_HEAPS = 3;

  final int rows;
  private final Backend backend;
  private final BufferAllocator allocator;
  private final List<MemoryBuffer> buffers = new ArrayList<>();
  private final List<TileCode> program = new ArrayList<>();
  private final List<BigInteger> constants = new ArrayList<>();
  private final List<MemoryBuffer[]> inputs = new ArrayList<>();
  private final List<MemoryBuffer[]> outputs = new ArrayList<>();
  private final KernelStatus status;
  private MemoryBuffer accumulators;
  private int groupCount;
  private int copies;
  private int rowBase;
  private int blockSize = LaunchShape.KERNEL_DEFAULT;
  private int workspaceBytes = WORKSPACE_BYTES;

  TileRun(Backend backend, BufferAllocator allocator, int rows) {
    this.backend = backend;
    this.allocator = allocator;
    this.rows = rows;
    this.status = backend.newStatus();
  }

  TileRun add(TileCode code) {
    program.add(code);
    return this;
  }

  /** Adds a constant of the pool and returns its number. */
  int constant(BigInteger value) {
    constants.add(value);
    return constants.size() - 1;
  }

  /** Adds an input column; {@code valid} may be null. Returns its number. */
  int input(MemoryBuffer data, boolean[] valid) {
    inputs.add(new MemoryBuffer[] {data, valid == null ? null : bits(valid)});
    return inputs.size() - 1;
  }

  int longs(long[] values, boolean[] valid) {
    MemoryBuffer data = buffer((long) rows * Long.BYTES);
    for (int i = 0; i < rows; i++) {
      data.putLong((long) i * Long.BYTES, values[i]);
    }
    return input(data, valid);
  }

  int ints(long[] values, boolean[] valid) {
    MemoryBuffer data = buffer((long) rows * Integer.BYTES);
    for (int i = 0; i < rows; i++) {
      data.putInt((long) i * Integer.BYTES, (int) values[i]);
    }
    return input(data, valid);
  }

  int wides(BigInteger[] values, boolean[] valid) {
    MemoryBuffer data = buffer(2L * rows * Long.BYTES);
    for (int i = 0; i < rows; i++) {
      data.putLong(2L * i * Long.BYTES, values[i].longValue());
      data.putLong((2L * i + 1) * Long.BYTES, values[i].shiftRight(Long.SIZE).longValue());
    }
    return input(data, valid);
  }

  int bools(boolean[] values) {
    return input(bits(values), null);
  }

  /** Adds views of strings, the long ones in two heaps at odd places. Returns its number. */
  int views(byte[][] strings, Random random) {
    MemoryBuffer data = buffer(2L * rows * Long.BYTES);
    MemoryBuffer[] heaps = new MemoryBuffer[2];
    int[] used = new int[heaps.length];
    int bytes = Arrays.stream(strings).mapToInt(text -> text.length + MAX_GAP).sum();
    MemoryBuffer table = buffer((long) heaps.length * Long.BYTES);
    for (int heap = 0; heap < heaps.length; heap++) {
      heaps[heap] = buffer(bytes);
      table.putLong((long) heap * Long.BYTES, heaps[heap].address());
    }
    for (int i = 0; i < rows; i++) {
      byte[] text = strings[i];
      long view = 2L * i * Long.BYTES;
      data.putInt(view, text.length);
      boolean isInline = text.length <= INLINE;
      int heap = random.nextInt(heaps.length);
      used[heap] += isInline ? 0 : random.nextInt(MAX_GAP + 1);
      for (int k = 0; k < text.length; k++) {
        if (isInline || k < Integer.BYTES) {
          data.putByte(view + Integer.BYTES + k, text[k]);
        }
        if (!isInline) {
          heaps[heap].putByte(used[heap] + (long) k, text[k]);
        }
      }
      if (!isInline) {
        data.putInt(view + Long.BYTES, heap);
        data.putInt(view + Long.BYTES + Integer.BYTES, used[heap]);
        used[heap] += text.length;
      }
    }
    inputs.add(new MemoryBuffer[] {data, null, table, heaps[0], heaps[1]});
    return inputs.size() - 1;
  }

  /** Adds the bytes of a constant string to the pool; returns the imm that refers to them. */
  long text(byte[] bytes) {
    long first = constants.size();
    for (int at = 0; at < Math.max(1, bytes.length); at += Long.BYTES * 2) {
      byte[] slot = new byte[Long.BYTES * 2];
      for (int k = 0; k < slot.length && at + k < bytes.length; k++) {
        slot[slot.length - 1 - k] = bytes[at + k];
      }
      constants.add(new BigInteger(slot));
    }
    return (long) bytes.length << Integer.SIZE | first;
  }

  /** Adds an output for all rows; returns its number. */
  int output(PhysicalType kind) {
    MemoryBuffer data = buffer(kind.dataLengthInBytes(rows));
    outputs.add(new MemoryBuffer[] {data, buffer((rows + 7) / 8)});
    return outputs.size() - 1;
  }

  MemoryBuffer accumulators(long bytes, int groups, int sharedCopies) {
    accumulators = buffer(bytes);
    groupCount = groups;
    copies = sharedCopies;
    return accumulators;
  }

  TileRun rowBase(int base) {
    rowBase = base;
    return this;
  }

  TileRun blockSize(int threads) {
    blockSize = threads;
    return this;
  }

  TileRun workspaceBytes(int bytes) {
    workspaceBytes = bytes;
    return this;
  }

  /** Runs; returns the error, null for none. */
  KernelError run() {
    boolean isLong = program.stream().anyMatch(code -> TileProgram.isLongOperation(code.opcode));
    KernelFunction kernel = backend.kernel(isLong ? "tile_program_decimal" : "tile_program");
    try (ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      fill(arguments);
      int lanes = arguments.getInt(TileProgramArgsLayout.LANE_REGISTERS_OFFSET);
      int masks = arguments.getInt(TileProgramArgsLayout.MASK_REGISTERS_OFFSET);
      int block =
          blockSize == LaunchShape.KERNEL_DEFAULT
              ? TileProgramKernel.blockSize(kernel.blockSize(), lanes, masks)
              : blockSize;
      int words = program.stream().mapToInt(code -> sharedWords(code.opcode)).sum();
      int shared =
          block * (TileLimit.TILE_GPU_ITEMS * Long.BYTES * lanes + masks)
              + Long.BYTES * copies * Math.max(1, groupCount) * words;
      backend.launch(kernel, new LaunchShape(rows, block, shared), arguments);
      status.await();
    }
    return status.errorWord() == 0 ? null : KernelError.decode(status.errorWord());
  }

  long rowsOut() {
    return status.rowsOut();
  }

  long needed() {
    return status.needed();
  }

  long longAt(int output, int row) {
    return outputs.get(output)[0].getLong((long) row * Long.BYTES);
  }

  BigInteger wideAt(int output, int row) {
    return wide(outputs.get(output)[0], 2L * row * Long.BYTES, 2);
  }

  /** Returns the string whose view an output has, with the heaps of an input. */
  byte[] textAt(int output, int row, int heaps) {
    MemoryBuffer views = outputs.get(output)[0];
    long view = 2L * row * Long.BYTES;
    byte[] text = new byte[views.getInt(view)];
    boolean isInline = text.length <= INLINE;
    int heap = isInline ? 0 : views.getInt(view + Long.BYTES);
    MemoryBuffer from = isInline ? views : inputs.get(heaps)[BUFFERS_BEFORE_HEAPS + heap];
    long at = isInline ? view + Integer.BYTES : views.getInt(view + Long.BYTES + Integer.BYTES);
    for (int i = 0; i < text.length; i++) {
      text[i] = from.getByte(at + i);
    }
    for (int i = 0; i < Integer.BYTES && !isInline; i++) {
      assertEquals(text[i], views.getByte(view + Integer.BYTES + i), "prefix of row " + row);
    }
    for (int i = text.length; i < INLINE; i++) {
      assertEquals(0, views.getByte(view + Integer.BYTES + i), "padding of row " + row);
    }
    return text;
  }

  boolean bitAt(int output, int row) {
    return bit(outputs.get(output)[0], row);
  }

  boolean isValid(int output, int row) {
    return bit(outputs.get(output)[1], row);
  }

  MemoryBuffer data(int output) {
    return outputs.get(output)[0];
  }

  /** A signed little-endian integer of some words. */
  static BigInteger wide(MemoryBuffer data, long offset, int words) {
    BigInteger value = BigInteger.valueOf(data.getLong(offset + (words - 1L) * Long.BYTES));
    for (int i = words - 2; i >= 0; i--) {
      BigInteger low =
          new BigInteger(Long.toUnsignedString(data.getLong(offset + (long) i * Long.BYTES)));
      value = value.shiftLeft(Long.SIZE).add(low);
    }
    return value;
  }

  private static boolean bit(MemoryBuffer bitmap, int row) {
    return (bitmap.getByte(row / 8) >> row % 8 & 1) != 0;
  }

  static int sharedWords(TileOpcode opcode) {
    return switch (opcode) {
      case AGG_COUNT, AGG_MIN_I64, AGG_MAX_I64, AGG_AND_I64, AGG_OR_I64, AGG_XOR_I64 -> 1;
      case AGG_SUM_I64 -> 2;
      case AGG_SUM_I128, AGG_SUM_I192 -> 3;
      default -> 0;
    };
  }

  /** A zeroed buffer that is closed with the run. */
  MemoryBuffer buffer(long bytes) {
    MemoryBuffer buffer = allocator.allocateZeroed(Math.max(1, bytes));
    buffers.add(buffer);
    return buffer;
  }

  MemoryBuffer bits(boolean[] values) {
    MemoryBuffer bitmap = buffer((rows + ROWS_PER_WORD - 1L) / ROWS_PER_WORD * Long.BYTES);
    for (int i = 0; i < rows; i++) {
      if (values[i]) {
        bitmap.putByte(i / 8, (byte) (bitmap.getByte(i / 8) | 1 << i % 8));
      }
    }
    return bitmap;
  }

  private void fill(ArgumentBlock arguments) {
    MemoryBuffer workspace = buffer(workspaceBytes);
    arguments.putLong(TileProgramArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(TileProgramArgsLayout.INSTRUCTIONS_OFFSET, instructions().address());
    arguments.putLong(TileProgramArgsLayout.CONSTANTS_OFFSET, pool().address());
    arguments.putLong(
        TileProgramArgsLayout.ACCUMULATORS_OFFSET,
        accumulators == null ? 0 : accumulators.address());
    arguments.putLong(TileProgramArgsLayout.WORKSPACE_OFFSET, workspace.address());
    arguments.putLong(TileProgramArgsLayout.WORKSPACE_BYTES_OFFSET, workspaceBytes);
    arguments.putInt(TileProgramArgsLayout.ROWS_OFFSET, rows);
    arguments.putInt(TileProgramArgsLayout.ROW_BASE_OFFSET, rowBase);
    arguments.putInt(TileProgramArgsLayout.INSTRUCTION_COUNT_OFFSET, program.size());
    arguments.putInt(TileProgramArgsLayout.LANE_REGISTERS_OFFSET, lanesUsed());
    arguments.putInt(TileProgramArgsLayout.MASK_REGISTERS_OFFSET, masksUsed());
    arguments.putInt(TileProgramArgsLayout.GROUP_COUNT_OFFSET, groupCount);
    arguments.putInt(TileProgramArgsLayout.ACCUMULATOR_COPIES_OFFSET, copies);
    for (int i = 0; i < inputs.size(); i++) {
      int at = TileProgramArgsLayout.INPUTS_OFFSET + i * TileProgramArgsLayout.INPUTS_STRIDE;
      arguments.putLong(at + ColumnViewLayout.DATA_OFFSET, inputs.get(i)[0].address());
      MemoryBuffer validity = inputs.get(i)[1];
      arguments.putLong(
          at + ColumnViewLayout.VALIDITY_OFFSET, validity == null ? 0 : validity.address());
      boolean hasHeaps = inputs.get(i).length > 2;
      arguments.putLong(
          at + ColumnViewLayout.HEAPS_OFFSET, hasHeaps ? inputs.get(i)[2].address() : 0);
    }
    for (int i = 0; i < outputs.size(); i++) {
      int at = TileProgramArgsLayout.OUTPUTS_OFFSET + i * TileProgramArgsLayout.OUTPUTS_STRIDE;
      arguments.putLong(at + TileOutputLayout.DATA_OFFSET, outputs.get(i)[0].address());
      arguments.putLong(at + TileOutputLayout.VALIDITY_OFFSET, outputs.get(i)[1].address());
    }
  }

  private int lanesUsed() {
    int highest = program.stream().mapToInt(code -> Math.max(code.dst, code.a)).max().orElse(0);
    return Math.min(TileLimit.TILE_MAX_LANES, highest + 3);
  }

  private int masksUsed() {
    int highest = 0;
    for (TileCode code : program) {
      int mask = code.mask == TileInstruction.NO_REGISTER ? 0 : code.mask;
      highest = Math.max(highest, Math.max(mask, Math.max(code.dst, code.a)));
    }
    return Math.min(TileLimit.TILE_MAX_MASKS, highest + 1);
  }

  private MemoryBuffer instructions() {
    MemoryBuffer code = buffer((long) program.size() * TileInstructionLayout.SIZE_IN_BYTES);
    long at = 0;
    for (TileCode instruction : program) {
      code.putByte(at + TileInstructionLayout.OP_OFFSET, (byte) instruction.opcode.code());
      code.putByte(at + TileInstructionLayout.DST_OFFSET, (byte) instruction.dst);
      code.putByte(at + TileInstructionLayout.A_OFFSET, (byte) instruction.a);
      code.putByte(at + TileInstructionLayout.B_OFFSET, (byte) instruction.b);
      code.putByte(at + TileInstructionLayout.MASK_OFFSET, (byte) instruction.mask);
      code.putByte(at + TileInstructionLayout.FLAGS_OFFSET, (byte) instruction.flags);
      code.putShort(at + TileInstructionLayout.AUX_OFFSET, (short) instruction.aux);
      code.putLong(at + TileInstructionLayout.IMM_OFFSET, instruction.imm);
      at += TileInstructionLayout.SIZE_IN_BYTES;
    }
    return code;
  }

  private MemoryBuffer pool() {
    MemoryBuffer pool = buffer((long) constants.size() * TileConstantLayout.SIZE_IN_BYTES);
    for (int i = 0; i < constants.size(); i++) {
      long at = (long) i * TileConstantLayout.SIZE_IN_BYTES;
      pool.putLong(at + TileConstantLayout.LOW_OFFSET, constants.get(i).longValue());
      pool.putLong(
          at + TileConstantLayout.HIGH_OFFSET, constants.get(i).shiftRight(Long.SIZE).longValue());
    }
    return pool;
  }

  @Override
  public void close() {
    buffers.forEach(MemoryBuffer::close);
    status.close();
  }
}
