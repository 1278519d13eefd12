package io.ariadne.shuffle.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows that go through blocks come out as they were, partition by partition, in order. */
class TestBlocks {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private EncodedBlock travelled(EncodedBlock block) {
    try (block) {
      MemoryBuffer bytes = memory.allocator().allocate(block.lengthInBytes());
      Memory.copy(block.address(), bytes.address(), block.lengthInBytes());
      return EncodedBlock.check(bytes);
    }
  }

  @Test
  void roundTripsRandomBatches() {
    RandomBatches batches = RandomBatches.create();
    for (int run = 0; run < 150; run++) {
      Schema schema = RandomBlocks.schema(batches.random());
      int partitions = 1 + batches.random().nextInt(7);
      RandomBlocks expected = new RandomBlocks(batches, partitions);
      List<List<List<Object>>> actual = new ArrayList<>();
      for (int i = 0; i < partitions; i++) {
        actual.add(new ArrayList<>());
      }
      long maxBlock = batches.random().nextBoolean() ? 2000 : 1 << 20;
      try (BlockBuffer buffer =
          new BlockBuffer(partitions, 1 << 20, maxBlock, memory.allocator())) {
        for (int round = 0; round < 2; round++) {
          int count = batches.random().nextInt(4);
          for (int i = 0; i < count; i++) {
            expected.add(schema, buffer, memory.allocator());
          }
          drain(buffer, schema, actual, batches.random().nextInt(3));
        }
      }
      for (int i = 0; i < partitions; i++) {
        BatchAssertions.assertRowsInOrder(expected.rows.get(i), actual.get(i));
      }
    }
  }

  private void drain(
      BlockBuffer buffer, Schema schema, List<List<List<Object>>> actual, int together) {
    int before = -1;
    try (BlockConcatenator concatenator = new BlockConcatenator(schema, memory.allocator())) {
      int gathered = 0;
      for (EncodedBlock block = buffer.next(); block != null; block = buffer.next()) {
        int partition = buffer.partition();
        if (concatenator.rowCount() > 0 && (partition != before || gathered > together)) {
          decodeTo(concatenator, actual.get(before));
          gathered = 0;
        }
        before = partition;
        EncodedBlock checked = travelled(block);
        assertTrue(concatenator.canAdd(checked));
        concatenator.add(checked);
        gathered++;
      }
      if (concatenator.rowCount() > 0) {
        decodeTo(concatenator, actual.get(before));
      }
      assertTrue(buffer.isEmpty());
    }
  }

  private static void decodeTo(BlockConcatenator concatenator, List<List<Object>> rows) {
    try (RecordBatch batch = concatenator.concat(0)) {
      rows.addAll(BatchAssertions.rows(batch));
    }
  }

  /** Many rows of one partition are several blocks, as a block becomes a batch as a whole. */
  @Test
  void blocksHaveNoMoreRowsThanABatch() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT8));
    int rows = 3 * RowsEncoder.BLOCK_ROWS + 1;
    RecordBatch batch =
        RandomBatches.create().batch(schema, rows, NullPattern.SOME, memory.allocator());
    List<List<Object>> expected = BatchAssertions.rows(batch);
    List<List<Object>> actual = new ArrayList<>();
    try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator());
        BlockConcatenator concatenator = new BlockConcatenator(schema, memory.allocator())) {
      buffer.add(batch, new int[] {0, rows});
      for (EncodedBlock block = buffer.next(); block != null; block = buffer.next()) {
        assertTrue(block.rowCount() <= RowsEncoder.BLOCK_ROWS);
        concatenator.add(block);
        decodeTo(concatenator, actual);
      }
    }
    BatchAssertions.assertRowsInOrder(expected, actual);
  }

  /** Where memory for large blocks is refused, smaller ones are made; for small ones it must do. */
  @Test
  void blocksAreSmallerWhenMemoryIsScarce() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
    int rows = 10_000;
    List<List<Object>> actual = new ArrayList<>();
    try (RecordBatch batch =
            RandomBatches.create().batch(schema, rows, NullPattern.SOME, memory.allocator());
        BlockConcatenator concatenator = new BlockConcatenator(schema, memory.allocator())) {
      RowsEncoder.Rows all = new RowsEncoder.Rows(batch, 0, rows);
      RowsEncoder encoder = new RowsEncoder(scarce(batch.sizeInBytes() / 16));
      encoder.add(List.of(all));
      int blocks = 0;
      for (EncodedBlock block = encoder.next(); block != null; block = encoder.next()) {
        concatenator.add(travelled(block));
        blocks++;
      }
      decodeTo(concatenator, actual);
      assertTrue(blocks > 3, () -> "blocks of " + batch.sizeInBytes() + " bytes");
      BatchAssertions.assertRowsInOrder(BatchAssertions.rows(batch), actual);
      RowsEncoder refused = new RowsEncoder(scarce(16));
      refused.add(List.of(all));
      EngineException e = assertThrows(EngineException.class, refused::next);
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
    }
  }

  /** Returns an allocator that refuses more than so many bytes at once. */
  private BufferAllocator scarce(long mostBytes) {
    return new BufferAllocator() {
      @Override
      public MemoryBuffer allocate(long lengthInBytes) {
        if (lengthInBytes > mostBytes) {
          throw new EngineException(ErrorCode.OUT_OF_MEMORY, lengthInBytes + " bytes are refused");
        }
        return memory.allocator().allocate(lengthInBytes);
      }

      @Override
      public long allocatedBytes() {
        return memory.allocator().allocatedBytes();
      }

      @Override
      public MemoryTier tier() {
        return memory.allocator().tier();
      }
    };
  }

  /** What is kept of each batch for its partitions counts as its values do. */
  @Test
  void partitionsCountTowardsTheTarget() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT8));
    RecordBatch one = RandomBatches.create().batch(schema, 1, NullPattern.NONE, memory.allocator());
    int[] firstRows = new int[1001];
    firstRows[1000] = 1;
    try (BlockBuffer buffer = new BlockBuffer(1000, 4000, memory.allocator())) {
      buffer.add(one, firstRows);
      assertTrue(buffer.isFull());
      for (EncodedBlock block = buffer.next(); block != null; block = buffer.next()) {
        block.close();
      }
    }
  }

  @Test
  void decimalsOfAnotherWidthStayApart() {
    RandomBatches batches = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(List.of(new DecimalType(9, 2)));
    try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator())) {
      buffer.add(decimals(batches, schema, PhysicalType.I32), new int[] {0, 5});
      try (RecordBatch wide = decimals(batches, schema, PhysicalType.I64)) {
        assertFalse(buffer.canAdd(wide));
      }
      try (RecordBatch narrow = decimals(batches, schema, PhysicalType.I32)) {
        assertTrue(buffer.canAdd(narrow));
      }
    }
  }

  private RecordBatch decimals(RandomBatches batches, Schema schema, PhysicalType layout) {
    return new RecordBatch(
        schema,
        5,
        List.of(
            batches.column(
                schema.field(0).type(), layout, 5, NullPattern.NONE, memory.allocator())),
        0);
  }

  private static final Schema TEXT = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
  private static final int TEXT_ROWS = 600;

  private RecordBatch coded(RandomBatches batches, int entries) {
    return new RecordBatch(
        TEXT,
        TEXT_ROWS,
        List.of(
            batches.dictionaryColumn(
                PrimitiveType.STRING,
                PhysicalType.VIEW16,
                TEXT_ROWS,
                entries,
                NullPattern.SOME,
                memory.allocator())),
        0);
  }

  /** Gathers batches of one partition each in a block of its own, and joins the blocks. */
  private RecordBatch joined(List<List<RecordBatch>> blocks, List<List<Object>> expected) {
    try (BlockConcatenator concatenator = new BlockConcatenator(TEXT, memory.allocator())) {
      for (List<RecordBatch> batches : blocks) {
        try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator())) {
          for (RecordBatch batch : batches) {
            expected.addAll(BatchAssertions.rows(batch));
            assertTrue(buffer.canAdd(batch));
            buffer.add(batch, new int[] {0, batch.rowCount()});
          }
          EncodedBlock block = travelled(buffer.next());
          assertTrue(concatenator.canAdd(block));
          concatenator.add(block);
        }
      }
      return concatenator.concat(0);
    }
  }

  /** Dictionaries of several batches and blocks become one, which has each string once. */
  @Test
  void mergesDictionaries() {
    RandomBatches batches = RandomBatches.create();
    for (int entries : new int[] {1, 7, 100}) {
      List<List<Object>> expected = new ArrayList<>();
      RecordBatch first = coded(batches, entries);
      List<RecordBatch> again = List.of(coded(batches, entries), coded(batches, 3));
      try (RecordBatch batch = joined(List.of(List.of(first), again), expected)) {
        assertNotNull(batch.column(0).dictionary());
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(batch));
        List<List<Object>> used = new ArrayList<>(new HashSet<>(expected));
        used.remove(Collections.singletonList(null));
        assertEquals(used.size(), batch.column(0).dictionary().entryCount());
      }
    }
  }

  /** Strings of too many kinds, and those that stand beside strings, are no codes any more. */
  @Test
  void manyDistinctStringsAreWrittenAsStrings() {
    RandomBatches batches = RandomBatches.create();
    List<List<List<RecordBatch>>> cases =
        List.of(
            List.of(List.of(coded(batches, 400))),
            List.of(List.of(coded(batches, 250), coded(batches, 250))),
            List.of(
                List.of(coded(batches, 9)), List.of(plain(batches)), List.of(coded(batches, 9))),
            List.of(List.of(plain(batches), coded(batches, 9))));
    for (List<List<RecordBatch>> blocks : cases) {
      List<List<Object>> expected = new ArrayList<>();
      try (RecordBatch batch = joined(blocks, expected)) {
        assertNull(batch.column(0).dictionary());
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(batch));
      }
    }
  }

  /** Of codes about: here all strings have the same length. */
  @Test
  void computesVariableBytes() {
    Schema schema =
        RandomBatches.schemaOf(
            List.of(PrimitiveType.STRING, PrimitiveType.INT64, new DecimalType(38, 2)));
    try (BatchBuilder builder = new BatchBuilder(schema, memory.allocator());
        BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator())) {
      for (int row = 0; row < 100; row++) {
        builder.appendRow("abcdefghijklmnop".getBytes(UTF_8), (long) row, BigInteger.valueOf(row));
      }
      buffer.add(builder.build(0), new int[] {0, 100});
      try (EncodedBlock block = buffer.next()) {
        assertEquals(100 * (16 + 16), block.variableBytes());
      }
    }
    BlockColumn entries =
        new BlockColumn(PhysicalType.VIEW16, false, Byte.BYTES, 3, 0, 9, 51, List.of());
    BlockColumn codes =
        new BlockColumn(
            PhysicalType.DICTIONARY32, false, Byte.BYTES, 1000, 0, 0, 0, List.of(entries));
    assertEquals(20_000, codes.variableBytes());
  }

  private RecordBatch plain(RandomBatches batches) {
    return batches.batch(TEXT, TEXT_ROWS, NullPattern.SOME, memory.allocator());
  }

  @Test
  void refusesCodesBeyondTheirStrings() {
    RandomBatches batches = RandomBatches.create();
    try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator())) {
      buffer.add(coded(batches, 7), new int[] {0, TEXT_ROWS});
      try (EncodedBlock block = buffer.next()) {
        BlockColumn column = block.columns().get(0);
        assertTrue(column.isCoded());
        Memory.putByte(
            block.dataAddress() + column.validityBytes() + TEXT_ROWS / 2,
            (byte) column.children().get(0).rows());
        StringDecoder.Piece piece =
            new StringDecoder.Piece(column, block.dataAddress() + column.validityBytes());
        for (boolean mayBeCoded : new boolean[] {true, false}) {
          StringDecoder decoder =
              new StringDecoder(
                  PrimitiveType.STRING, List.of(piece), TEXT_ROWS, memory.allocator());
          EngineException e =
              assertThrows(EngineException.class, () -> decoder.decode(null, mayBeCoded).close());
          assertEquals(ErrorCode.CORRUPT_DATA, e.code());
        }
      }
    }
  }

  @Test
  void failingAllocationsLeakNothing() {
    RandomBatches batches = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING, PrimitiveType.INT64));
    int failures = 0;
    for (int allowed = 0; allowed < 12; allowed++) {
      RandomBlocks expected = new RandomBlocks(batches, 2);
      try (BlockBuffer buffer = new BlockBuffer(2, 1 << 20, memory.allocator());
          BlockConcatenator concatenator = new BlockConcatenator(schema, memory.allocator())) {
        expected.add(schema, buffer, memory.allocator());
        memory.allocator().failAfter(allowed);
        for (EncodedBlock block = buffer.next(); block != null; block = buffer.next()) {
          concatenator.add(travelled(block));
        }
        if (concatenator.rowCount() > 0) {
          concatenator.concat(0).close();
        }
      } catch (EngineException e) {
        failures++;
      } finally {
        memory.allocator().failAfter(Long.MAX_VALUE);
      }
    }
    assertTrue(failures > 2, failures + " failures");
  }

  @Test
  void refusesOtherColumnsThanPlanned() {
    RandomBatches batches = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING, PrimitiveType.INT64));
    try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator())) {
      buffer.add(
          batches.batch(schema, 10, NullPattern.SOME, memory.allocator()), new int[] {0, 10});
      EncodedBlock block = travelled(buffer.next());
      Schema other = RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));
      try (BlockConcatenator concatenator = new BlockConcatenator(other, memory.allocator())) {
        concatenator.add(block);
        String message = null;
        try {
          concatenator.concat(0).close();
        } catch (EngineException e) {
          message = e.getMessage();
        }
        assertEquals(
            "a block of an exchange is damaged: a column of INT64 is laid out as VIEW16 with 0"
                + " nested columns",
            message);
      }
    }
  }
}
