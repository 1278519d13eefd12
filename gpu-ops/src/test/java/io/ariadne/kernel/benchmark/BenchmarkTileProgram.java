package io.ariadne.kernel.benchmark;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.TileFlag;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.TileInput;
import io.ariadne.kernel.tile.TileInstruction;
import io.ariadne.kernel.tile.TileProgram;
import io.ariadne.kernel.tile.TileProgramKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Tile programs in the shapes of TPC-H Q6 and Q1 on the host: nanoseconds per row and bytes read
 * per nanosecond, beside a plain sum of one column.
 *
 * <p>Columns: ship date (days), discount, quantity, extended price, tax (decimals of 64 bits),
 * group number. Axes: program, rows per call (in cache: 65536; out of cache: 8388608).
 */
public final class BenchmarkTileProgram {
  private static final int IN_CACHE = 1 << 16;
  private static final int OUT_OF_CACHE = 1 << 23;
  private static final int NONE = TileInstruction.NO_REGISTER;
  private static final int GROUPS = 4;
  private static final int RECORD_BYTES = 128;

  private final List<TileInstruction> code = new ArrayList<>();

  private BenchmarkTileProgram() {}

  /** Prints one tab-separated line per point. */
  public static void main(String[] arguments) {
    System.out.println("isa\tprogram\trows\tns_per_row\tbytes_per_ns");
    try (Backend backend = HostBackend.open()) {
      for (int rows : new int[] {IN_CACHE, OUT_OF_CACHE}) {
        measure(backend, "q6", forecastRevenue(), rows, 28);
        measure(backend, "q1", pricingSummary(), rows, 40);
        measure(backend, "sum", plainSum(), rows, 8);
      }
    }
  }

  private BenchmarkTileProgram add(
      TileOpcode opcode, int dst, int a, int b, int flags, long imm, int aux) {
    code.add(new TileInstruction(opcode, dst, a, b, NONE, flags, aux, imm));
    return this;
  }

  private BenchmarkTileProgram load(TileOpcode opcode, int dst, int column) {
    return add(opcode, dst, column, 0, 0, 0, 0);
  }

  private BenchmarkTileProgram constantB(TileOpcode opcode, int dst, int a, long value) {
    return add(opcode, dst, a, 0, TileFlag.TILE_B_CONSTANT, value, 0);
  }

  private BenchmarkTileProgram aggregate(TileOpcode opcode, int a, int group, int offset) {
    return add(opcode, 0, a, group, 0, offset, RECORD_BYTES);
  }

  private TileProgram build() {
    List<TileInput> inputs = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      inputs.add(new TileInput(i, i == 0 || i == 5 ? PhysicalType.I32 : PhysicalType.I64));
    }
    return new TileProgram(code, List.of(), inputs, List.of(), 10, 3);
  }

  private static TileProgram forecastRevenue() {
    return new BenchmarkTileProgram()
        .load(TileOpcode.LOAD_I32, 0, 0)
        .constantB(TileOpcode.GE_I64, 0, 0, 8766)
        .constantB(TileOpcode.LT_I64, 1, 0, 9131)
        .add(TileOpcode.MASK_AND, 0, 0, 1, 0, 0, 0)
        .load(TileOpcode.LOAD_I64, 1, 1)
        .constantB(TileOpcode.GE_I64, 1, 1, 5)
        .add(TileOpcode.MASK_AND, 0, 0, 1, 0, 0, 0)
        .constantB(TileOpcode.LE_I64, 1, 1, 7)
        .add(TileOpcode.MASK_AND, 0, 0, 1, 0, 0, 0)
        .load(TileOpcode.LOAD_I64, 2, 2)
        .constantB(TileOpcode.LT_I64, 1, 2, 2400)
        .add(TileOpcode.MASK_AND, 0, 0, 1, 0, 0, 0)
        .add(TileOpcode.FILTER, 0, 0, 0, 0, 0, 0)
        .load(TileOpcode.LOAD_I64, 3, 3)
        .add(TileOpcode.MUL_I64, 3, 3, 1, 0, 0, 0)
        .aggregate(TileOpcode.AGG_SUM_I64, 3, NONE, 0)
        .build();
  }

  private static TileProgram pricingSummary() {
    BenchmarkTileProgram program =
        new BenchmarkTileProgram()
            .load(TileOpcode.LOAD_I32, 0, 0)
            .constantB(TileOpcode.LE_I64, 0, 0, 10471)
            .add(TileOpcode.FILTER, 0, 0, 0, 0, 0, 0)
            .load(TileOpcode.LOAD_I64, 1, 1)
            .load(TileOpcode.LOAD_I64, 2, 2)
            .load(TileOpcode.LOAD_I64, 3, 3)
            .load(TileOpcode.LOAD_I64, 4, 4)
            .add(TileOpcode.SUB_I64, 5, 0, 1, TileFlag.TILE_A_CONSTANT, 100, 0)
            .add(TileOpcode.MUL_I64, 5, 3, 5, 0, 0, 0)
            .constantB(TileOpcode.ADD_I64, 6, 4, 100)
            .add(TileOpcode.MUL_I64, 6, 5, 6, 0, 0, 0)
            .load(TileOpcode.LOAD_I32, 7, 5);
    int offset = 0;
    for (int register : new int[] {2, 3, 5, 6, 1, 2, 3}) {
      program.aggregate(TileOpcode.AGG_SUM_I64, register, 7, offset);
      offset += 16;
    }
    return program.aggregate(TileOpcode.AGG_COUNT, 0, 7, offset).build();
  }

  private static TileProgram plainSum() {
    return new BenchmarkTileProgram()
        .load(TileOpcode.LOAD_I64, 0, 3)
        .aggregate(TileOpcode.AGG_SUM_I64, 0, NONE, 0)
        .build();
  }

  private static void measure(
      Backend backend, String name, TileProgram program, int rows, int bytesPerRow) {
    TestingAllocator allocator = new TestingAllocator();
    List<ColumnVector> columns = columns(allocator, rows);
    try (TileProgramKernel kernel = new TileProgramKernel(backend, allocator);
        MemoryBuffer memory = allocator.allocateZeroed((GROUPS + 1L) * RECORD_BYTES)) {
      TileProgramKernel.Accumulators accumulators =
          new TileProgramKernel.Accumulators(memory, GROUPS);
      double nanos =
          KernelTimer.nanosPerItem(
              rows, () -> kernel.run(program, rows, columns::get, List.of(), accumulators));
      System.out.printf(
          "%s\t%s\t%d\t%.3f\t%.1f%n", backend.isa(), name, rows, nanos, bytesPerRow / nanos);
    }
    columns.forEach(ColumnVector::close);
  }

  private static List<ColumnVector> columns(TestingAllocator allocator, int rows) {
    Random random = new Random(1);
    int[][] ranges = {
      {8036, 10562}, {0, 11}, {100, 5001}, {90_000, 10_500_000}, {0, 9}, {0, GROUPS}
    };
    List<ColumnVector> columns = new ArrayList<>();
    for (int c = 0; c < ranges.length; c++) {
      boolean isInt = c == 0 || c == ranges.length - 1;
      PhysicalType kind = isInt ? PhysicalType.I32 : PhysicalType.I64;
      MemoryBuffer data = allocator.allocateZeroed(kind.dataLengthInBytes(rows));
      for (int i = 0; i < rows; i++) {
        int value = ranges[c][0] + random.nextInt(ranges[c][1] - ranges[c][0]);
        if (isInt) {
          data.putInt((long) i * Integer.BYTES, value);
        } else {
          data.putLong((long) i * Long.BYTES, value);
        }
      }
      columns.add(
          ColumnVector.flat(
              isInt ? PrimitiveType.INT32 : PrimitiveType.INT64, kind, rows, data, null));
    }
    return columns;
  }
}
