package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.memory.MemoryPool;
import io.ariadne.shuffle.format.BlockBuffer;
import io.ariadne.shuffle.format.EncodedBlock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Tuple2;

/** Blocks of a stream become batches; a damaged length is an error that names the block. */
class TestReduceInput {
  private static final int ROWS = 1000;
  private static final int SHUFFLE = 4711;
  private static final long MAP_ATTEMPT = 17;
  private static final ShuffleRange RANGE = new ShuffleRange(0, 1, 2, 5);
  private static final Schema SCHEMA = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  private final RandomBatches batches = RandomBatches.create();
  private final AtomicLong rowsRead = new AtomicLong();
  private TaskContextImpl context;

  @BeforeEach
  void start() {
    ProcessRuntime.start(RuntimeConfig.of(2, 64 << 20));
    context = TaskContext$.MODULE$.empty();
    TaskContext$.MODULE$.setTaskContext(context);
  }

  @AfterEach
  void stop() {
    context.markTaskCompleted(Option.empty());
    TaskContext$.MODULE$.unset();
    assertEquals(0, pool().allocatedBytes());
    ProcessRuntime.stop();
  }

  private static MemoryPool pool() {
    return ProcessRuntime.get().pool();
  }

  /** Returns a stream of one block: its length, the map attempt and its bytes. */
  private byte[] stream() throws IOException {
    RecordBatch batch = batches.batch(SCHEMA, ROWS, NullPattern.SOME, pool());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, pool())) {
      buffer.add(batch, new int[] {0, ROWS});
      try (EncodedBlock block = buffer.next()) {
        BlockBytes written = new BlockBytes(block.address(), block.lengthInBytes());
        new BlockStreams().write(new DataOutputStream(bytes), written, MAP_ATTEMPT);
      }
    }
    return bytes.toByteArray();
  }

  private Iterator<ColumnarBatch> read(byte[] stream) {
    scala.collection.Iterator<Tuple2<Object, Object>> records =
        new BlockSerializer()
            .newInstance()
            .deserializeStream(new ByteArrayInputStream(stream))
            .asKeyValueIterator();
    Iterator<BlockInput> blocks =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return records.hasNext();
          }

          @Override
          public BlockInput next() {
            BlockInput block = (BlockInput) records.next()._2();
            block.reportTo(new DamagedBlocks(SHUFFLE, RANGE));
            return block;
          }
        };
    ReduceInput input =
        new ReduceInput(SCHEMA, new DataType[] {DataTypes.LongType}, new SQLMetric("sum", 0));
    return input.read(blocks, rowsRead::addAndGet, context);
  }

  @Test
  void makesABatchOfABlock() throws IOException {
    Iterator<ColumnarBatch> read = read(stream());
    assertEquals(ROWS, read.next().numRows());
    assertFalse(read.hasNext());
    assertEquals(ROWS, rowsRead.get());
  }

  private void requireRefusal(byte[] stream, long lengthInBytes) {
    ByteBuffer.wrap(stream).putLong(lengthInBytes);
    EngineException e =
        assertThrows(EngineException.class, () -> read(stream).next(), "length " + lengthInBytes);
    assertEquals(ErrorCode.CORRUPT_DATA, e.code(), e.toString());
    assertTrue(
        e.getMessage().contains("shuffle 4711, map attempt 17, partitions 2 to 4"), e.getMessage());
    assertTrue(e.getMessage().contains(" " + lengthInBytes + " bytes"), e.getMessage());
    assertEquals(0, rowsRead.get());
  }

  /** More than the pool has: memory would be refused, and no map task would run again. */
  @Test
  void refusesALengthBeyondTheBlockBeforeMemoryIsAllocated() throws IOException {
    byte[] stream = stream();
    int length = stream.length - 2 * Long.BYTES;
    requireRefusal(stream, 3L << 30);
    requireRefusal(stream, 5L << 30);
    requireRefusal(stream, length + 1);
  }

  @Test
  void refusesALengthShorterThanTheBlock() throws IOException {
    byte[] stream = stream();
    int length = stream.length - 2 * Long.BYTES;
    requireRefusal(stream, length - 1);
    requireRefusal(stream, EncodedBlock.HEADER_BYTES);
    requireRefusal(stream, EncodedBlock.HEADER_BYTES - 1);
    requireRefusal(stream, 0);
  }
}
