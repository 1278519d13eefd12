package io.ariadne.spill;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.MemorySource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures an allocation from a full pool that has to evict one batch, by the number of spillable
 * batches in memory. Batches take 256 KiB of addresses that nothing reads or writes, and the spill
 * store only counts, so that the time is that of choosing the victim and of the bookkeeping.
 */
public final class BenchmarkEviction {
  private static final int BATCH_BYTES = 256 << 10;
  private static final int HEAP_BYTES = 128 << 10;
  private static final int EVICTIONS = 500;
  private static final int ROUNDS = 5;
  private static final int DISTANCES = 256;

  /** Addresses without memory behind them. */
  private static final class Addresses implements MemorySource {
    private final AtomicLong next = new AtomicLong(1L << 40);

    @Override
    public MemoryTier tier() {
      return MemoryTier.HOST;
    }

    @Override
    public long allocate(long lengthInBytes) {
      return next.getAndAdd(lengthInBytes);
    }

    @Override
    public void free(long address, long lengthInBytes) {
      // an address costs nothing
    }

    @Override
    public void fill(long address, long lengthInBytes, byte value) {
      throw new UnsupportedOperationException();
    }
  }

  /** Stores nothing. */
  private static final class CountingStore implements SpillStore {
    private final AtomicLong numbers = new AtomicLong();

    @Override
    public List<Block> write(List<RecordBatch> batches) {
      return batches.stream()
          .map(
              batch ->
                  new Block(numbers.getAndIncrement(), 0, batch.ownSizeInBytes(), batch.rowCount()))
          .toList();
    }

    @Override
    public RecordBatch read(Block block, BufferAllocator allocator) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(Block block) {
      // nothing is stored
    }

    @Override
    public MemoryTier tier() {
      return MemoryTier.DISK;
    }

    @Override
    public long storedBytes() {
      return 0;
    }

    @Override
    public long limitInBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public void close() {
      // nothing is stored
    }
  }

  private BenchmarkEviction() {}

  /**
   * Prints the medians and 99th percentiles of several rounds, in microseconds.
   *
   * @param arguments numbers of batches; 1,000, 10,000 and 40,000 when there are none
   */
  public static void main(String[] arguments) {
    List<Integer> counts =
        arguments.length == 0
            ? List.of(1_000, 10_000, 40_000)
            : Arrays.stream(arguments).map(Integer::valueOf).toList();
    System.out.println("columns   batches   median us   p99 us   (per allocation that evicts one)");
    for (boolean strings : new boolean[] {false, true}) {
      for (int count : counts) {
        long[] nanos = new long[ROUNDS * EVICTIONS];
        run(count, strings, new long[EVICTIONS]);
        for (int round = 0; round < ROUNDS; round++) {
          long[] times = new long[EVICTIONS];
          run(count, strings, times);
          System.arraycopy(times, 0, nanos, round * EVICTIONS, EVICTIONS);
        }
        Arrays.sort(nanos);
        System.out.printf(
            "%-8s %8d %11.1f %8.1f%n",
            strings ? "strings" : "longs",
            count,
            nanos[nanos.length / 2] / 1e3,
            nanos[nanos.length * 99 / 100] / 1e3);
      }
    }
  }

  private static void run(int count, boolean strings, long[] nanos) {
    MemoryPool pool = MemoryPools.over("bench", (long) count * BATCH_BYTES, new Addresses());
    Random random = new Random(1);
    List<SpillableBatch> batches = new ArrayList<>();
    try (SpillController controller =
        new SpillController(pool, List.of(new CountingStore()), new PlanOrderEviction(), 1, 1)) {
      for (int i = 0; i < count; i++) {
        batches.add(controller.add(batch(pool, strings), placement(random)));
      }
      for (int i = 0; i < nanos.length; i++) {
        long start = System.nanoTime();
        RecordBatch next = batch(pool, strings);
        nanos[i] = System.nanoTime() - start;
        batches.add(controller.add(next, placement(random)));
      }
      batches.forEach(SpillableBatch::close);
    }
    pool.close();
  }

  private static SpillPlacement placement(Random random) {
    return SpillPlacement.at(SpillPlacement.NEAR + 1 + random.nextInt(DISTANCES), true);
  }

  private static RecordBatch batch(MemoryPool pool, boolean strings) {
    Schema schema =
        new Schema(
            List.of(new Field("c", strings ? PrimitiveType.STRING : PrimitiveType.INT64, false)));
    return RecordBatch.of(schema, rows(strings), 0, index -> column(pool, strings));
  }

  private static int rows(boolean strings) {
    return strings ? (BATCH_BYTES - HEAP_BYTES) / 16 : BATCH_BYTES / Long.BYTES;
  }

  private static ColumnVector column(MemoryPool pool, boolean strings) {
    if (!strings) {
      return ColumnVector.flat(
          PrimitiveType.INT64, PhysicalType.I64, rows(false), pool.allocate(BATCH_BYTES), null);
    }
    SharedBuffer heap = new SharedBuffer(pool.allocate(HEAP_BYTES));
    return new ColumnVector(
        PrimitiveType.STRING,
        PhysicalType.VIEW16,
        rows(true),
        pool.allocate(BATCH_BYTES - HEAP_BYTES),
        null,
        0,
        List.of(heap),
        List.of());
  }
}
