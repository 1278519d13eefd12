package io.ariadne.spill;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.testing.PoolCheck;
import io.ariadne.spill.SpillStore.Block;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What every {@link SpillStore} promises; a subclass makes the store. */
public abstract class AbstractTestSpillStore {
  private static final Schema FLAT = RandomBatches.schemaOf(RandomBatches.flatTypes());
  private static final Schema NESTED = RandomBatches.schemaOf(RandomBatches.nestedTypes());

  /** Memory of batches. */
  @RegisterExtension protected final PoolCheck memory = new PoolCheck(1L << 30);

  protected final RandomBatches random = RandomBatches.create();
  protected SpillStore store;

  /** Creates a store with a limit of at least one GB. */
  protected abstract SpillStore newStore();

  /** Frees what {@link #newStore} has created besides the store. */
  protected abstract void closeSources();

  /** Returns whether only live characters of little used string heaps are stored. */
  protected boolean storesOnlyLiveCharacters() {
    return true;
  }

  @BeforeEach
  void open() {
    store = newStore();
  }

  @AfterEach
  void close() {
    long left = store.storedBytes();
    store.close();
    closeSources();
    assertEquals(0, left, "bytes stored at the end");
  }

  protected final MemoryPool pool() {
    return memory.pool();
  }

  private void check(RecordBatch batch) {
    Block block = store.write(List.of(batch)).get(0);
    assertEquals(batch.rowCount(), block.rowCount());
    long before = pool().allocatedBytes();
    try (RecordBatch read = store.read(block, pool())) {
      assertBatchEquals(batch, read);
      assertEquals(batch.sequence(), read.sequence());
      assertTrue(pool().allocatedBytes() - before <= block.memoryBytes(), "bytes in memory");
    }
    store.delete(block);
  }

  @Test
  void storesAllTypes() {
    for (int rows : RandomBatches.ROW_COUNTS) {
      for (NullPattern nulls : NullPattern.values()) {
        try (RecordBatch flat = random.batch(FLAT, Math.min(rows, 3000), nulls, pool());
            RecordBatch nested = random.batch(NESTED, Math.min(rows, 1100), nulls, pool())) {
          check(flat);
          check(nested);
        }
      }
    }
  }

  @Test
  void storesDictionaries() {
    for (ColumnEncoding encoding : ColumnEncoding.values()) {
      try (RecordBatch batch = random.batch(FLAT, 2049, NullPattern.SOME, encoding, pool())) {
        check(batch);
      }
    }
  }

  /** Larger than all pages together. */
  @Test
  void storesALargeBatch() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));
    try (RecordBatch batch = random.batch(schema, 700_001, NullPattern.NONE, pool())) {
      check(batch);
    }
  }

  @Test
  void storesBatchesTogether() {
    List<RecordBatch> batches = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      batches.add(random.batch(FLAT, random.random().nextInt(900), NullPattern.NONE, pool()));
    }
    List<Block> blocks = store.write(batches);
    for (int i = batches.size() - 1; i >= 0; i--) {
      try (RecordBatch expected = batches.get(i);
          RecordBatch read = store.read(blocks.get(i), pool())) {
        assertBatchEquals(expected, read);
      }
      store.delete(blocks.get(i));
    }
  }

  /** A batch that uses little of its heaps is read back without unused characters. */
  @Test
  void onlyLiveCharactersAreStored() {
    Schema schema = new Schema(List.of(new Field("s", PrimitiveType.STRING, true)));
    try (RecordBatch whole = random.batch(schema, 50_000, NullPattern.NONE, pool());
        RecordBatch part = new RowRange(100, 200).copyOf(whole, pool(), 0)) {
      Block all = store.write(List.of(whole)).get(0);
      Block few = store.write(List.of(part)).get(0);
      assertEquals(
          storesOnlyLiveCharacters(),
          few.memoryBytes() < all.memoryBytes() / 20,
          () -> few + " " + all);
      store.delete(all);
      store.delete(few);
      check(part);
    }
  }

  /** Many views of the same characters in a large buffer: live bytes exceed the heap's length. */
  @Test
  void storesRepeatedCharacters() {
    Schema schema = new Schema(List.of(new Field("s", PrimitiveType.STRING, false)));
    List<RecordBatch> batches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      batches.add(new RecordBatch(schema, 150, List.of(repeated(150)), i));
    }
    List<Block> blocks = store.write(batches);
    for (int i = 0; i < 3; i++) {
      try (RecordBatch expected = batches.get(i);
          RecordBatch read = store.read(blocks.get(i), pool())) {
        assertBatchEquals(expected, read);
      }
      store.delete(blocks.get(i));
    }
  }

  private ColumnVector repeated(int rows) {
    byte[] text = "forty characters that many rows point at".getBytes(StandardCharsets.UTF_8);
    MemoryBuffer heap = pool().allocate(16 << 10);
    heap.putBytes(0, text, 0, text.length);
    MemoryBuffer views = pool().allocateZeroed(rows * 16L);
    for (int row = 0; row < rows; row++) {
      views.putInt(row * 16L, text.length);
      views.putBytes(row * 16L + 4, text, 0, 4);
    }
    return new ColumnVector(
        PrimitiveType.STRING,
        PhysicalType.VIEW16,
        rows,
        views,
        null,
        0,
        List.of(new SharedBuffer(heap.withLength(text.length))),
        List.of());
  }

  /** Batches of one dictionary share it again when they are read. */
  @Test
  void sharesADictionaryAgain() {
    DataType type = PrimitiveType.STRING;
    Schema schema = RandomBatches.schemaOf(List.of(type));
    List<Block> blocks = new ArrayList<>();
    long id;
    try (ColumnVector first =
        random.dictionaryColumn(
            type, type.defaultPhysicalType(), 10, 20_000, NullPattern.NONE, pool())) {
      Dictionary dictionary = first.dictionary();
      id = dictionary.id();
      for (int i = 0; i < 5; i++) {
        ColumnVector codes = random.codes(dictionary, 100, NullPattern.NONE, pool());
        try (RecordBatch batch = new RecordBatch(schema, 100, List.of(codes), i)) {
          blocks.addAll(store.write(List.of(batch)));
        }
      }
      assertTrue(store.storedBytes() < 2 * dictionary.sizeInBytes(), "stored once");
    }
    assertEquals(0, pool().allocatedBytes());
    try (RecordBatch a = store.read(blocks.get(0), pool());
        RecordBatch b = store.read(blocks.get(1), pool())) {
      assertSame(a.column(0).dictionary(), b.column(0).dictionary());
      assertEquals(id, a.column(0).dictionary().id());
      assertEquals(1, b.sequence());
    }
    blocks.forEach(store::delete);
  }

  @Test
  void refusesToDeleteTwice() {
    try (RecordBatch batch = random.batch(FLAT, 10, NullPattern.NONE, pool())) {
      Block block = store.write(List.of(batch)).get(0);
      store.delete(block);
      assertThrows(IllegalStateException.class, () -> store.delete(block));
      assertThrows(IllegalStateException.class, () -> store.read(block, pool()));
    }
  }

  /** A reader without memory leaves the block as it was. */
  @Test
  void readWithoutMemoryKeepsTheBlock() {
    Schema mixed = RandomBatches.schemaOf(List.of(PrimitiveType.STRING, PrimitiveType.INT64));
    try (RecordBatch batch =
        random.batch(mixed, 5000, NullPattern.NONE, ColumnEncoding.values()[1], pool())) {
      Block block = store.write(List.of(batch)).get(0);
      for (long limit = 0; limit < block.memoryBytes(); limit += block.memoryBytes() / 7 + 64) {
        MemoryPool small = pool().newChild("small", limit);
        try (RecordBatch read = store.read(block, small)) {
          assertBatchEquals(batch, read); // the dictionary was still in memory
        } catch (EngineException e) {
          assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
        }
        small.close();
      }
      check(batch);
      store.delete(block);
    }
  }

  /** Tasks that spill are interrupted when they are killed; what is stored must survive that. */
  @Test
  void storesForAnInterruptedCaller() {
    try (RecordBatch batch = random.batch(FLAT, 3000, NullPattern.NONE, pool())) {
      Thread.currentThread().interrupt();
      Block block = store.write(List.of(batch)).get(0);
      assertTrue(Thread.currentThread().isInterrupted());
      try (RecordBatch read = store.read(block, pool())) {
        assertTrue(Thread.interrupted());
        assertBatchEquals(batch, read);
      }
      check(batch);
      store.delete(block);
    }
  }

  /** Writers, readers and deleters side by side, some without memory. */
  @Test
  void worksWithManyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    List<Future<?>> all = new ArrayList<>();
    List<RecordBatch> batches = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      ColumnEncoding encoding = ColumnEncoding.values()[i % ColumnEncoding.values().length];
      int rows = random.random().nextInt(4000);
      batches.add(random.batch(FLAT, rows, NullPattern.SOME, encoding, pool()));
    }
    try {
      for (int t = 0; t < 6; t++) {
        Random choice = new Random(random.seed() + t);
        all.add(threads.submit(() -> work(choice, batches)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdown();
      batches.forEach(RecordBatch::close);
    }
  }

  private void work(Random choice, List<RecordBatch> batches) {
    List<Block> blocks = new ArrayList<>();
    List<RecordBatch> expected = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      if (blocks.isEmpty() || choice.nextInt(3) == 0) {
        int from = choice.nextInt(batches.size());
        List<RecordBatch> some =
            batches.subList(from, Math.min(batches.size(), from + 1 + choice.nextInt(3)));
        blocks.addAll(store.write(some));
        expected.addAll(some);
      }
      int chosen = choice.nextInt(blocks.size());
      try (RecordBatch read = store.read(blocks.get(chosen), pool())) {
        assertBatchEquals(expected.get(chosen), read);
      }
      if (choice.nextBoolean()) {
        store.delete(blocks.remove(chosen));
        expected.remove(chosen);
      }
    }
    blocks.forEach(store::delete);
  }
}
