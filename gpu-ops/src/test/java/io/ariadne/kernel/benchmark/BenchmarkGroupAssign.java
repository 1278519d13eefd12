package io.ariadne.kernel.benchmark;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * Grouping on the host: nanoseconds per row of finding the groups of keys that are in the table.
 *
 * <p>Axes: keys (two strings of one character as in TPC-H Q1, one long string, one integer),
 * distinct values per key.
 */
public final class BenchmarkGroupAssign {
  private static final int ROWS = 1 << 16;

  private BenchmarkGroupAssign() {}

  /** Prints one tab-separated line per point. */
  public static void main(String[] arguments) {
    System.out.println("isa\tkeys\tdistinct\tns_per_row");
    try (Backend backend = HostBackend.open()) {
      IntFunction<Object> letter = i -> bytes(String.valueOf((char) ('A' + i)));
      measure(backend, "2 short strings", PrimitiveType.STRING, 2, 3, letter);
      IntFunction<Object> sentence = i -> bytes("a string that is not inline " + i);
      measure(backend, "1 long string", PrimitiveType.STRING, 1, 1000, sentence);
      for (int distinct : new int[] {4, 1000, ROWS}) {
        measure(backend, "1 integer", PrimitiveType.INT64, 1, distinct, i -> (long) i * 7919);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void measure(
      Backend backend,
      String name,
      DataType type,
      int keys,
      int distinct,
      IntFunction<Object> values) {
    TestingAllocator allocator = new TestingAllocator();
    Random random = new Random(1);
    List<ColumnVector> columns = new ArrayList<>();
    List<PhysicalType> kinds = new ArrayList<>();
    for (int k = 0; k < keys; k++) {
      try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
        for (int i = 0; i < ROWS; i++) {
          builder.appendValue(values.apply(random.nextInt(distinct)));
        }
        columns.add(builder.build());
      }
      kinds.add(type.defaultPhysicalType());
    }
    try (GroupTable table = new GroupTable(backend, allocator, kinds);
        MemoryBuffer groups = allocator.allocate((long) ROWS * Integer.BYTES)) {
      double nanos = KernelTimer.nanosPerItem(ROWS, () -> table.assign(columns, ROWS, groups));
      System.out.printf("%s\t%s\t%d\t%.2f%n", backend.isa(), name, table.groupCount(), nanos);
    }
    columns.forEach(ColumnVector::close);
  }
}
