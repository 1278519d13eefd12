package io.ariadne.kernel.testing;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a suite of kernels stands on: a back end of its target, opened for each test, memory that
 * must be freed by its end, and random data from a seed that is printed.
 */
public abstract class AbstractTestKernels {
  /** Rows of a launch whose work is measured. */
  protected static final int MANY = 70_000;

  /** Finds what a test leaves open. */
  @RegisterExtension protected final LeakCheck memory = new LeakCheck();

  /** Source of everything random. */
  protected final Random random;

  private final KernelTestTarget target;
  private final long seed;
  private Backend backend;
  private BufferAllocator allocator;

  /** Creates a suite with a seed of its own, or that of {@code -Dariadne.test.seed}. */
  protected AbstractTestKernels(KernelTestTarget target) {
    this.target = target;
    this.seed = Long.getLong("ariadne.test.seed", System.nanoTime());
    this.random = new Random(seed);
  }

  /** Opens the back end. */
  @BeforeEach
  protected final void openTarget() {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    backend = target.open(seed);
    allocator = target.allocator(memory.allocator());
  }

  /** Closes the back end. */
  @AfterEach
  protected final void closeTarget() {
    if (backend != null) { // the target may have skipped the test
      backend.close();
    }
  }

  /** Returns where kernels run. */
  protected final Backend backend() {
    return backend;
  }

  /** Waits for the launches whose output the test reads next. */
  protected final void awaitLaunches() {
    backend.prepareThread();
  }

  /** Returns memory that both kernels and the test see. */
  protected final BufferAllocator allocator() {
    return allocator;
  }

  /** Returns the seed, for messages. */
  protected final long seed() {
    return seed;
  }

  /** Holds the last launch, one over {@link #MANY} rows, to a line of {@code work-budgets.tsv}. */
  protected final void checkWork(String name) {
    target.checkWork(backend, name);
  }

  /** The same for kernels that need parts of records; {@code bytes} are all of input and output. */
  protected final void checkWork(String name, long bytes) {
    target.checkWork(backend, name, bytes);
  }

  /** Holds every further launch to the line that is named for its arguments; null for none. */
  protected final void checkEachLaunch(Function<ArgumentBlock, String> nameOf) {
    target.checkEachLaunch(backend, nameOf);
  }

  /**
   * Returns the kernel's own shape for {@link #MANY} rows, whose work is measured; for others any.
   * For kernels that take blocks of 32 threads and more.
   */
  protected final LaunchShape shape(long rows) {
    return rows == MANY ? LaunchShape.ofRows(rows) : KernelTestTarget.anyShape(random, rows);
  }

  /** Returns a buffer of random bytes, padding included. */
  protected final MemoryBuffer randomBytes(long length) {
    MemoryBuffer buffer = allocator.allocate(length);
    for (long at = 0; at < buffer.capacityInBytes(); at++) {
      buffer.putByte(at, (byte) random.nextInt());
    }
    return buffer;
  }

  /** Returns a buffer's address, 0 for none. */
  protected static long address(MemoryBuffer buffer) {
    return buffer == null ? 0 : buffer.address();
  }

  /** Returns the bit of a row. */
  protected static boolean bit(MemoryBuffer bits, int row) {
    return ((bits.getByte(row / Byte.SIZE) >>> (row % Byte.SIZE)) & 1) != 0;
  }
}
