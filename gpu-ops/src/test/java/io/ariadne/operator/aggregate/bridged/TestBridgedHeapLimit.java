package io.ariadne.operator.aggregate.bridged;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import org.junit.jupiter.api.Test;

/** The JVM heap that groups may take follows the compute threads, not the machine. */
class TestBridgedHeapLimit {
  private static final Schema INPUT = Schema.of(new Field("key", PrimitiveType.INT64, false));

  private static OperatorContext context(int threads) {
    return new OperatorContext(new TestingAllocator(), HostBackend.open(), () -> false)
        .withThreadCount(threads);
  }

  @Test
  void dividesTheHeapByTheThreadsOfTheContext() {
    BridgedAggregateOperatorFactory factory =
        new BridgedAggregateOperatorFactory(INPUT, 1, null, INPUT);
    long heap = Runtime.getRuntime().maxMemory();
    assertEquals(heap / 4 / 3, factory.maxHeapBytes(context(3)));
    assertEquals(heap / 4 / 64, factory.maxHeapBytes(context(64)));
  }

  @Test
  void keepsAGivenLimit() {
    BridgedAggregateOperatorFactory factory =
        new BridgedAggregateOperatorFactory(INPUT, 1, null, INPUT, 1000);
    assertEquals(1000, factory.maxHeapBytes(context(64)));
  }
}
