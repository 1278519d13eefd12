package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.testing.PoolCheck;
import io.ariadne.shuffle.catalog.MapOutputWriter;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.format.BlockConcatenator;
import io.ariadne.shuffle.format.EncodedBlock;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.BlockSource;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks have the rows of a range once and in order, and no more bytes than a reply has left. */
class TestMapOutputSource {
  private static final int SHUFFLE = 3;
  private static final long MAP = 17;
  private static final int BATCHES = 4;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.INT64,
              PrimitiveType.STRING,
              PrimitiveType.INT16,
              PrimitiveType.FLOAT64));

  @RegisterExtension final PoolCheck memory = new PoolCheck(64 << 20);

  @TempDir private Path folder;

  private final RandomBatches batches = RandomBatches.create();
  private final Random random = batches.random();
  private final List<List<Object>> expected = new ArrayList<>();
  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;
  private MapOutputs outputs;
  private MapOutputSource source;

  @BeforeEach
  void open() {
    MemoryPool pool = memory.pool();
    pages = new PagePool(pool, PagePool.PAGE_BYTES, 3, 3);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    controller = new SpillController(pool, List.of(disk), new PlanOrderEviction(), 1, 1);
    outputs = new MapOutputs(pool, controller);
    source = new MapOutputSource(outputs, pool);
  }

  @AfterEach
  void close() {
    outputs.close();
    controller.close();
    assertEquals(0, disk.storedBytes());
    disk.close();
    pages.close();
  }

  /** Writes a map output of one partition, in batches of different encodings. */
  private void write(int rowsPerBatch) {
    MapOutputs.Places places = new MapOutputs.Places(1, 0);
    try (MapOutputWriter writer = outputs.begin(SHUFFLE, MAP).write(places, 1 << 14)) {
      for (int i = 0; i < BATCHES; i++) {
        int count = 1 + random.nextInt(rowsPerBatch);
        NullPattern nulls = NullPattern.values()[random.nextInt(NullPattern.values().length)];
        ColumnEncoding[] encodings = ColumnEncoding.values();
        ColumnEncoding encoding = encodings[random.nextInt(encodings.length)];
        RecordBatch batch = batches.batch(SCHEMA, count, nulls, encoding, memory.pool());
        expected.addAll(BatchAssertions.rows(batch));
        writer.add(batch, new int[] {0, count});
      }
      writer.commit();
    }
  }

  private static BlockRange range(long firstRow) {
    return new BlockRange(SHUFFLE, MAP, 0, 1, firstRow);
  }

  private List<List<Object>> decoded(BlockSource.Blocks blocks) {
    try (BlockConcatenator concatenator = new BlockConcatenator(SCHEMA, memory.pool())) {
      concatenator.add(EncodedBlock.check(blocks.encode()));
      try (RecordBatch batch = concatenator.concat(0)) {
        return BatchAssertions.rows(batch);
      }
    }
  }

  /** Asks again and again, as a peer does, and returns the number of replies. */
  private int readAll(long maxBytes) {
    List<List<Object>> rows = new ArrayList<>();
    long needed = maxBytes;
    int replies = 0;
    for (boolean isDone = false; !isDone; replies++) {
      long left = needed;
      try (BlockSource.Blocks blocks = source.open(range(rows.size()), needed)) {
        long length = blocks.next(left);
        while (length > 0 && length <= left) {
          int count = blocks.rows();
          List<List<Object>> some = decoded(blocks);
          assertEquals(count, some.size());
          rows.addAll(some);
          left -= length;
          length = blocks.next(left);
        }
        isDone = length == 0;
        needed = left == needed ? Math.max(needed, length) : maxBytes;
      }
    }
    BatchAssertions.assertRowsInOrder(expected, rows);
    return replies;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 300, 10_000, 200_000, 10_000_000})
  void repliesOfAnyLengthHaveAllRows(long maxBytes) {
    write(2000);
    int replies = readAll(maxBytes);
    assertTrue(replies == 1 || maxBytes < 10_000_000, replies + " replies");
  }

  /** Where blocks are much shorter than their rows in memory, replies are still filled. */
  @Test
  void repliesAreFilled() {
    write(20_000);
    long bytes = 0;
    try (BlockSource.Blocks blocks = source.open(range(0), 1 << 30)) {
      for (long length = blocks.next(1 << 30); length > 0; length = blocks.next(1 << 30)) {
        bytes += length;
        blocks.encode().close();
      }
    }
    long maxBytes = bytes / 8;
    int replies = readAll(maxBytes);
    assertTrue(replies <= 12, replies + " replies of " + maxBytes + " bytes for " + bytes);
  }

  /** A range that does not fit is not read from disk for the last bytes of a reply. */
  @Test
  void aReplyThatIsNearlyFullReadsNothing() {
    write(2000);
    long[] moved = {controller.movedBytes()};
    controller.makeRoom(() -> controller.movedBytes() == moved[0] ? Long.MAX_VALUE : 0);
    long before = memory.pool().allocatedBytes();
    try (BlockSource.Blocks blocks = source.open(range(0), 1 << 20)) {
      assertTrue(blocks.next(100) > 100);
      assertEquals(before, memory.pool().allocatedBytes());
    }
    readAll(1 << 20);
  }
}
