package io.ariadne.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.operator.LimitedSpillSpace;
import io.ariadne.operator.OperatorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sizes of join tables follow the memory and the compute threads, not the machine. */
class TestJoinLimits {
  private static final Backend BACKEND = HostBackend.open();
  private static final LimitedSpillSpace SPACE = new LimitedSpillSpace(64L << 30);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private JoinLimits limits(int threads) {
    return JoinLimits.of(
        SPACE.context(new OperatorContext(memory.allocator(), BACKEND, () -> false), threads));
  }

  @Test
  void dividesMemoryByTheThreadsOfTheContext() {
    assertEquals(4L << 30, limits(4).tableBytes());
    assertEquals(256L << 20, limits(64).tableBytes());
    assertEquals(1L << 30, limits(4).pairBytes());
    assertEquals(4L << 20, limits(64).pairBytes());
  }
}
