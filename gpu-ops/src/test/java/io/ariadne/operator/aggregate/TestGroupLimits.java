package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.operator.LimitedSpillSpace;
import io.ariadne.operator.OperatorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits of group tables follow the memory and the compute threads, not the machine. */
class TestGroupLimits {
  private static final Backend BACKEND = HostBackend.open();
  private static final LimitedSpillSpace SPACE = new LimitedSpillSpace(16L << 30);
  private static final long BYTES_PER_GROUP = 8 << 10;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private OperatorContext context(int threads) {
    return SPACE.context(new OperatorContext(memory.allocator(), BACKEND, () -> false), threads);
  }

  @Test
  void dividesMemoryByTheThreadsOfTheContext() {
    GroupLimits few = GroupLimits.of(context(4), BYTES_PER_GROUP);
    GroupLimits many = GroupLimits.of(context(64), BYTES_PER_GROUP);
    assertEquals(32_768, few.groups());
    assertEquals(2048, many.groups());
    assertEquals(2L << 30, few.mergedBytes());
    assertEquals(128L << 20, many.mergedBytes());
  }

  @Test
  void dividesScarceMemoryByThreadsOfThreads() {
    assertEquals(64L << 20, GroupLimits.bytesWhenScarce(context(4)));
    assertEquals(256L << 10, GroupLimits.bytesWhenScarce(context(64)));
  }
}
