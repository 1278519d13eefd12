package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeConfig;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Product2;

/** Records of a map task are valid until the next one is asked for, and throw afterwards. */
class TestMapOutputWrite {
  private static final int BATCHES = 4;
  private static final int ROWS = 50_000;
  private static final Schema SCHEMA = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  private final RandomBatches batches = RandomBatches.create();
  private final SQLMetric counted = new SQLMetric("sum", 0);
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
    assertEquals(0, ProcessRuntime.get().pool().allocatedBytes());
    ProcessRuntime.stop();
  }

  private Iterator<Product2<Object, MapRows>> records() {
    MapOutputWrite output =
        new MapOutputWrite(SCHEMA, 1, false, new ShuffledRows(counted, counted));
    Iterator<ColumnarBatch> input =
        Stream.generate(() -> SparkBatches.toSpark(batch())).limit(BATCHES).iterator();
    assertEquals(context, TaskContext.get());
    return output.apply(0, input);
  }

  private RecordBatch batch() {
    return batches.batch(SCHEMA, ROWS, NullPattern.NONE, ProcessRuntime.get().pool());
  }

  @Test
  void refusesARecordAfterTheNextOne() {
    Iterator<Product2<Object, MapRows>> records = records();
    Product2<Object, MapRows> first = records.next();
    assertEquals(0, first._1());
    assertTrue(first._2().block().lengthInBytes() > 0);
    assertTrue(records.hasNext());
    requireInvalid(first);
    Product2<Object, MapRows> second = records.next();
    requireInvalid(first);
    assertTrue(second._2().block().lengthInBytes() > 0);
    Product2<Object, MapRows> last = second;
    while (records.hasNext()) {
      last = records.next();
      assertEquals(0, last._1());
    }
    requireInvalid(last);
    assertEquals(BATCHES * ROWS, context.taskMetrics().shuffleWriteMetrics().recordsWritten());
  }

  @Test
  void givesEachBatchOnce() {
    Iterator<Product2<Object, MapRows>> records = records();
    Product2<Object, MapRows> first = records.next();
    first._2().takeBatch().batch().close();
    Product2<Object, MapRows> second = records.next();
    requireInvalid(first);
    second._2().takeBatch().batch().close();
    assertThrows(IllegalStateException.class, second._2()::takeBatch);
  }

  /** Spark has closed the records with the task. */
  @Test
  void refusesARecordAfterTheTask() {
    Iterator<Product2<Object, MapRows>> records = records();
    Product2<Object, MapRows> first = records.next();
    context.markTaskCompleted(Option.empty());
    requireInvalid(first);
    assertFalse(records.hasNext());
  }

  private static void requireInvalid(Product2<Object, MapRows> record) {
    assertThrows(IllegalStateException.class, record::_1);
    assertThrows(IllegalStateException.class, record._2()::block);
    assertThrows(IllegalStateException.class, record._2()::takeBatch);
  }
}
