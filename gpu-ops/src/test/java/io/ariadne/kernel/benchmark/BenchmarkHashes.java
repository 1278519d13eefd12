package io.ariadne.kernel.benchmark;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.TileFlag;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.TileInput;
import io.ariadne.kernel.tile.TileInstruction;
import io.ariadne.kernel.tile.TileProgram;
import io.ariadne.kernel.tile.TileProgramKernel;
import java.util.List;
import java.util.Random;

/**
 * Sums of the hashes of one column on the host, in nanoseconds per row.
 *
 * <p>Columns: random integers of 32 and 64 bits (also as decimals of 128), strings of at most 12
 * bytes and of 10 to 43 bytes, as comments of TPC-H are.
 */
public final class BenchmarkHashes {
  private static final int ROWS = 1 << 15;
  private static final int NONE = TileInstruction.NO_REGISTER;
  private static final long SEED = 42;

  private BenchmarkHashes() {}

  /** Prints one tab-separated line per point. */
  public static void main(String[] arguments) {
    System.out.println("isa\thash\tns_per_row");
    TestingAllocator allocator = new TestingAllocator();
    Random random = new Random(1);
    List<ColumnVector> columns =
        List.of(
            numbers(allocator, random, PhysicalType.I32),
            numbers(allocator, random, PhysicalType.I64),
            strings(allocator, random, 0, 12),
            strings(allocator, random, 10, 43),
            strings(allocator, random, 27, 27));
    try (Backend backend = HostBackend.open();
        TileProgramKernel kernel = new TileProgramKernel(backend, allocator);
        MemoryBuffer memory = allocator.allocateZeroed(128)) {
      measure(backend, kernel, columns, memory, "none", program(TileOpcode.LOAD_I64, 1, null));
      for (boolean isMurmur : new boolean[] {true, false}) {
        String name = isMurmur ? "MURMUR3" : "XXHASH64";
        TileOpcode view = TileOpcode.valueOf(name + "_VIEW");
        measure(
            backend,
            kernel,
            columns,
            memory,
            name + " int",
            program(TileOpcode.LOAD_I32, 0, TileOpcode.valueOf(name + "_I32")));
        measure(
            backend,
            kernel,
            columns,
            memory,
            name + " long",
            program(TileOpcode.LOAD_I64, 1, TileOpcode.valueOf(name + "_I64")));
        for (int column = 2; column < columns.size(); column++) {
          measure(
              backend,
              kernel,
              columns,
              memory,
              name + " strings " + column,
              program(TileOpcode.LOAD_I128, column, view));
        }
      }
    }
    columns.forEach(ColumnVector::close);
  }

  private static ColumnVector numbers(
      TestingAllocator allocator, Random random, PhysicalType kind) {
    MemoryBuffer data = allocator.allocate(kind.dataLengthInBytes(ROWS));
    for (long at = 0; at < data.capacityInBytes(); at++) {
      data.putByte(at, (byte) random.nextInt());
    }
    return ColumnVector.flat(PrimitiveType.INT64, kind, ROWS, data, null);
  }

  private static ColumnVector strings(
      TestingAllocator allocator, Random random, int shortest, int longest) {
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(PrimitiveType.BINARY, allocator)) {
      for (int i = 0; i < ROWS; i++) {
        byte[] text = new byte[shortest + random.nextInt(longest - shortest + 1)];
        random.nextBytes(text);
        builder.append(text);
      }
      return builder.build();
    }
  }

  private static TileProgram program(TileOpcode load, int column, TileOpcode hash) {
    TileInstruction loaded = new TileInstruction(load, 0, 0, 0, NONE, 0, 0, 0);
    TileInstruction sum =
        new TileInstruction(TileOpcode.AGG_SUM_I64, 0, hash == null ? 0 : 2, NONE, NONE, 0, 64, 0);
    PhysicalType kind = PhysicalType.valueOf(load.name().substring("LOAD_".length()));
    List<TileInput> inputs =
        List.of(new TileInput(column, kind), new TileInput(column, PhysicalType.VIEW16));
    List<TileInstruction> code =
        hash == null
            ? List.of(loaded, sum)
            : List.of(
                loaded,
                new TileInstruction(hash, 2, 0, 0, NONE, TileFlag.TILE_B_CONSTANT, 1, SEED),
                sum);
    return new TileProgram(code, List.of(), inputs, List.of(), 4, 1);
  }

  private static void measure(
      Backend backend,
      TileProgramKernel kernel,
      List<ColumnVector> columns,
      MemoryBuffer memory,
      String name,
      TileProgram program) {
    TileProgramKernel.Accumulators accumulators = new TileProgramKernel.Accumulators(memory, 1);
    double nanos =
        KernelTimer.nanosPerItem(
            ROWS, () -> kernel.run(program, ROWS, columns::get, List.of(), accumulators));
    System.out.printf("%s\t%s\t%.3f%n", backend.isa(), name, nanos);
  }
}
