package io.ariadne.kernel.tile;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.TileConstantLayout;
import io.ariadne.kernel.abi.TileError;
import io.ariadne.kernel.abi.TileInstructionLayout;
import io.ariadne.kernel.abi.TileOutputLayout;
import io.ariadne.kernel.abi.TileProgramArgsLayout;
import io.ariadne.kernel.column.HeapTables;
import java.math.BigInteger;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Launches tile programs. Keeps the code of recent programs and a workspace in the back end's
 * memory until it is closed.
 *
 * <p>Used by one thread at a time.
 */
public final class TileProgramKernel implements AutoCloseable {
  private static final String KERNEL_NAME = "tile_program";
  private static final String DECIMAL_KERNEL_NAME = "tile_program_decimal";
  private static final int LONG_BITS = 64;
  private static final int LANE_BYTES_PER_THREAD = 32;
  private static final int MIN_BLOCK = 64;

  /** Together with the accumulators, what a block can have on every supported GPU. */
  private static final int SHARED_REGISTER_BUDGET = 64 << 10;

  private static final int SHARED_ACCUMULATOR_BUDGET = 32 << 10;
  private static final int[] ACCUMULATOR_COPIES = {32, 8, 1};
  private static final long HOST_WORKSPACE_BYTES = 512 << 10;

  /** Programs whose code is in memory at once; all are unloaded before one more is loaded. */
  private static final int MAX_LOADED_PROGRAMS = 256;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction kernel;
  private final ArgumentBlock arguments;
  private final KernelStatus status;
  private final HeapTables heaps;
  private final Map<TileProgram, MemoryBuffer> loaded = new IdentityHashMap<>();
  private KernelFunction decimalKernel; // null until a program needs it
  private MemoryBuffer workspace;

  /**
   * Prepares launches.
   *
   * @param backend where programs run
   * @param allocator memory of the back end's tier
   */
  public TileProgramKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel = backend.kernel(KERNEL_NAME);
    this.status = backend.newStatus();
    this.heaps = new HeapTables(backend, allocator);
    this.arguments = new ArgumentBlock(TileProgramArgsLayout.SIZE_IN_BYTES);
  }

  /** The columns that programs read, by the numbers in {@link TileInput#column()}. */
  @FunctionalInterface
  public interface Columns {
    /** Returns a column in kernel memory. */
    ColumnVector column(int number);

    /** Returns the entries of a column's dictionary, in kernel memory. */
    default ColumnVector entries(int number) {
      return column(number).dictionary().entries();
    }

    /** Returns the results of a function of the entries, in kernel memory. */
    default ColumnVector entries(int number, EntryFunction function) {
      throw new UnsupportedOperationException("no results for the entry function " + function);
    }
  }

  /**
   * The memory of an output column.
   *
   * @param data a buffer for the batch's rows
   * @param validity a zeroed buffer of one bit per row; null when the output has no validity
   */
  public record Target(MemoryBuffer data, MemoryBuffer validity) {}

  /**
   * The memory of a program's aggregates.
   *
   * @param memory the accumulators, one record per group and one more for dropped rows; null
   *     without aggregates
   * @param groupCount how many groups, not counting the record for dropped rows
   */
  public record Accumulators(MemoryBuffer memory, int groupCount) {
    /** For programs that do not aggregate. */
    public static final Accumulators NONE = new Accumulators(null, 0);
  }

  /**
   * Runs a program over a batch and waits for it.
   *
   * @param program the program
   * @param rowCount rows of every input
   * @param columns the inputs
   * @param targets one per output of the program
   * @param accumulators the accumulators of aggregates
   * @return how many rows passed the filter
   * @throws TileProgramException when the program raised an error; outputs are then undefined
   */
  public long run(
      TileProgram program,
      int rowCount,
      Columns columns,
      List<Target> targets,
      Accumulators accumulators) {
    KernelFunction chosen = kernelOf(program);
    try {
      fillInputs(program, columns);
      fillOutputs(targets);
      fillProgram(program, rowCount, accumulators);
      LaunchShape shape = shape(chosen, program, rowCount, accumulators);
      prepareWorkspace(program, shape);
      launch(chosen, shape);
      if (status.needed() != 0 && status.errorWord() == 0) {
        replaceWorkspace(status.needed());
        launch(chosen, shape);
      }
    } finally {
      heaps.release();
    }
    if (status.errorWord() != 0) {
      throw failure(program, KernelError.decode(status.errorWord()));
    }
    return status.rowsOut();
  }

  private void launch(KernelFunction chosen, LaunchShape shape) {
    status.clear();
    backend.launch(chosen, shape, arguments);
    status.await();
  }

  /** Returns the kernel for a program; on the host there is only one. */
  private KernelFunction kernelOf(TileProgram program) {
    if (!backend.isBlockParallel() || !program.hasLongOperations()) {
      return kernel;
    }
    if (decimalKernel == null) {
      decimalKernel = backend.kernel(DECIMAL_KERNEL_NAME);
    }
    return decimalKernel;
  }

  private static RuntimeException failure(TileProgram program, KernelError error) {
    if (error.code() < TileError.TILE_ERROR_INVALID_PROGRAM) {
      return new TileProgramException(error);
    }
    return new EngineException(
        ErrorCode.INTERNAL, "kernel " + KERNEL_NAME + " refused " + program + ": " + error);
  }

  private void fillInputs(TileProgram program, Columns columns) {
    for (int i = 0; i < program.inputs().size(); i++) {
      TileInput input = program.inputs().get(i);
      ColumnVector column = column(input, columns);
      int offset = TileProgramArgsLayout.INPUTS_OFFSET + i * TileProgramArgsLayout.INPUTS_STRIDE;
      int kind = input.kind() == null ? 0 : input.kind().code(); // not read
      arguments.putLong(offset + ColumnViewLayout.DATA_OFFSET, addressOf(column.data()));
      arguments.putLong(offset + ColumnViewLayout.VALIDITY_OFFSET, addressOf(column.validity()));
      long heapTable = input.kind() == PhysicalType.VIEW16 ? heaps.addressOf(column) : 0;
      arguments.putLong(offset + ColumnViewLayout.HEAPS_OFFSET, heapTable);
      arguments.putInt(offset + ColumnViewLayout.KIND_OFFSET, kind);
      arguments.putInt(offset + ColumnViewLayout.HEAP_COUNT_OFFSET, 0);
    }
  }

  private static ColumnVector column(TileInput input, Columns columns) {
    if (input.function() != null) {
      return columns.entries(input.column(), input.function());
    }
    return input.isEntries() ? columns.entries(input.column()) : columns.column(input.column());
  }

  private void fillOutputs(List<Target> targets) {
    for (int i = 0; i < targets.size(); i++) {
      int offset = TileProgramArgsLayout.OUTPUTS_OFFSET + i * TileProgramArgsLayout.OUTPUTS_STRIDE;
      Target target = targets.get(i);
      arguments.putLong(offset + TileOutputLayout.DATA_OFFSET, addressOf(target.data()));
      arguments.putLong(offset + TileOutputLayout.VALIDITY_OFFSET, addressOf(target.validity()));
    }
  }

  private void fillProgram(TileProgram program, int rowCount, Accumulators accumulators) {
    MemoryBuffer code = load(program);
    long constants =
        code.address() + (long) program.instructions().size() * TileInstructionLayout.SIZE_IN_BYTES;
    arguments.putLong(TileProgramArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(TileProgramArgsLayout.INSTRUCTIONS_OFFSET, code.address());
    arguments.putLong(TileProgramArgsLayout.CONSTANTS_OFFSET, constants);
    arguments.putLong(TileProgramArgsLayout.ACCUMULATORS_OFFSET, addressOf(accumulators.memory()));
    arguments.putInt(TileProgramArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putInt(TileProgramArgsLayout.ROW_BASE_OFFSET, 0);
    arguments.putInt(TileProgramArgsLayout.INSTRUCTION_COUNT_OFFSET, program.instructions().size());
    arguments.putInt(TileProgramArgsLayout.LANE_REGISTERS_OFFSET, program.laneRegisters());
    arguments.putInt(TileProgramArgsLayout.MASK_REGISTERS_OFFSET, program.maskRegisters());
    arguments.putInt(TileProgramArgsLayout.GROUP_COUNT_OFFSET, accumulators.groupCount());
    arguments.putInt(
        TileProgramArgsLayout.ACCUMULATOR_COPIES_OFFSET, accumulatorCopies(program, accumulators));
  }

  /**
   * Returns the threads of a block: as many as the kernel takes, or fewer when their registers
   * would not fit shared memory.
   *
   * @param maxThreads the most the kernel takes, a power of two
   * @param laneRegisters 64-bit registers of a program
   * @param maskRegisters mask registers of a program
   */
  public static int blockSize(int maxThreads, int laneRegisters, int maskRegisters) {
    int threads = maxThreads;
    while (threads > MIN_BLOCK
        && threads * registerBytes(laneRegisters, maskRegisters) > SHARED_REGISTER_BUDGET) {
      threads /= 2;
    }
    return threads;
  }

  private static int registerBytes(int laneRegisters, int maskRegisters) {
    return LANE_BYTES_PER_THREAD * laneRegisters + maskRegisters;
  }

  private LaunchShape shape(
      KernelFunction chosen, TileProgram program, int rowCount, Accumulators accumulators) {
    if (!backend.isBlockParallel()) {
      return LaunchShape.ofRows(rowCount);
    }
    int lanes = program.laneRegisters();
    int masks = program.maskRegisters();
    int block = blockSize(chosen.blockSize(), lanes, masks);
    int shared = block * registerBytes(lanes, masks);
    int copies = accumulatorCopies(program, accumulators);
    shared += (int) copyBytes(program, accumulators) * copies;
    return new LaunchShape(rowCount, block, shared);
  }

  private static int accumulatorCopies(TileProgram program, Accumulators accumulators) {
    long copyBytes = copyBytes(program, accumulators);
    for (int copies : ACCUMULATOR_COPIES) {
      if (copyBytes > 0 && copyBytes * copies <= SHARED_ACCUMULATOR_BUDGET) {
        return copies;
      }
    }
    return 0;
  }

  private static long copyBytes(TileProgram program, Accumulators accumulators) {
    return (long) Long.BYTES * accumulators.groupCount() * program.sharedWordsPerGroup();
  }

  private void prepareWorkspace(TileProgram program, LaunchShape shape) {
    if (!backend.isBlockParallel()) {
      if (workspace == null) {
        replaceWorkspace(HOST_WORKSPACE_BYTES);
      }
      return;
    }
    long tileRows = (long) shape.blockSize() * kernel.itemsPerThread();
    long needed = Long.BYTES * (1 + (shape.rowCount() + tileRows - 1) / tileRows);
    if (workspace == null || workspace.capacityInBytes() < needed) {
      replaceWorkspace(needed);
    }
    if (program.hasFilter()) {
      backend.clear(workspace, 0, needed);
    }
  }

  private void replaceWorkspace(long lengthInBytes) {
    if (workspace != null) {
      MemoryBuffer old = workspace;
      workspace = null;
      old.close();
    }
    workspace = allocator.allocate(lengthInBytes);
    arguments.putLong(TileProgramArgsLayout.WORKSPACE_OFFSET, workspace.address());
    arguments.putLong(TileProgramArgsLayout.WORKSPACE_BYTES_OFFSET, workspace.capacityInBytes());
  }

  private static long addressOf(MemoryBuffer buffer) {
    return buffer == null ? 0 : buffer.address();
  }

  private MemoryBuffer load(TileProgram program) {
    MemoryBuffer code = loaded.get(program);
    if (code != null) {
      return code;
    }
    if (loaded.size() >= MAX_LOADED_PROGRAMS) {
      unloadAll();
    }
    int size =
        program.instructions().size() * TileInstructionLayout.SIZE_IN_BYTES
            + program.constants().size() * TileConstantLayout.SIZE_IN_BYTES;
    try (ArgumentBlock block = new ArgumentBlock(size)) {
      encode(program, block);
      code = allocator.allocate(size);
      try {
        backend.write(block.address(), code, 0, size);
      } catch (RuntimeException | Error e) {
        code.close();
        throw e;
      }
    }
    loaded.put(program, code);
    return code;
  }

  /** Frees the code of all programs: {@link #run} waits, so no launch reads it. */
  private void unloadAll() {
    Closer closer = new Closer();
    loaded.values().forEach(closer::close);
    loaded.clear();
    closer.rethrow();
  }

  private static void encode(TileProgram program, ArgumentBlock block) {
    int offset = 0;
    for (TileInstruction instruction : program.instructions()) {
      block.putLong(offset, head(instruction));
      block.putLong(offset + TileInstructionLayout.IMM_OFFSET, instruction.imm());
      offset += TileInstructionLayout.SIZE_IN_BYTES;
    }
    for (BigInteger constant : program.constants()) {
      block.putLong(offset + TileConstantLayout.LOW_OFFSET, constant.longValue());
      block.putLong(
          offset + TileConstantLayout.HIGH_OFFSET, constant.shiftRight(LONG_BITS).longValue());
      offset += TileConstantLayout.SIZE_IN_BYTES;
    }
  }

  /** Returns the fields before imm as one little-endian word. */
  private static long head(TileInstruction i) {
    return at(i.opcode().code(), TileInstructionLayout.OP_OFFSET)
        | at(i.dst(), TileInstructionLayout.DST_OFFSET)
        | at(i.a(), TileInstructionLayout.A_OFFSET)
        | at(i.b(), TileInstructionLayout.B_OFFSET)
        | at(i.mask(), TileInstructionLayout.MASK_OFFSET)
        | at(i.flags(), TileInstructionLayout.FLAGS_OFFSET)
        | at(i.aux(), TileInstructionLayout.AUX_OFFSET);
  }

  private static long at(int value, int offset) {
    return (long) value << (Byte.SIZE * offset);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::unloadAll);
    closer.close(workspace);
    closer.close(heaps);
    closer.close(status);
    closer.close(arguments);
    closer.rethrow();
  }
}
