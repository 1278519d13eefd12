package io.ariadne.memory.testing;

import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * JUnit extension: gives each test a root pool of host memory and fails the test when anything is
 * still open; the message names the places open buffers were asked for.
 *
 * <p>Use: {@code @RegisterExtension final PoolCheck memory = new PoolCheck(64 << 20);} and {@code
 * memory.pool()}.
 */
public final class PoolCheck implements BeforeEachCallback, AfterEachCallback {
  private final long limitInBytes;
  private MemoryPool pool;

  /**
   * Creates the extension.
   *
   * @param limitInBytes limit of each test's pool
   */
  public PoolCheck(long limitInBytes) {
    this.limitInBytes = limitInBytes;
  }

  /** Returns the running test's pool; closed by this extension. */
  public MemoryPool pool() {
    return pool;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    pool = MemoryPools.host("test", limitInBytes, true);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    pool.close();
  }
}
