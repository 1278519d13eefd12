package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What a suite of operators or expressions stands on: a back end, opened for each test, memory that
 * must be freed by its end, and random data from a seed that is printed.
 */
public abstract class AbstractTestOnBackend implements BackendUnderTest {
  /** Random batches; the source of everything random. */
  protected RandomBatches batches;

  /** The same source, for choices of the suite itself. */
  protected Random random;

  /** The seed of both, for messages. */
  protected long seed;

  /** Where kernels run; null when there is no such back end here. */
  protected Backend backend;

  /** Counts what a test holds. */
  protected TestingAllocator memory;

  /** Host memory out of it. */
  protected BufferAllocator allocator;

  /** Opens the back end. */
  @BeforeEach
  protected final void openForTest() {
    batches = RandomBatches.create();
    random = batches.random();
    seed = batches.seed();
    memory = new TestingAllocator();
    allocator = allocator(memory);
    backend = openBackend(seed);
  }

  /** Closes it; fails when something is open. */
  @AfterEach
  protected final void closeAfterTest() {
    if (backend != null) {
      backend.close();
    }
    memory.assertNothingOpen();
  }
}
