package io.ariadne.columnar.testing;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * JUnit extension: gives each test an allocator and fails the test when it leaves memory open.
 *
 * <p>Use: {@code @RegisterExtension final LeakCheck memory = new LeakCheck();} and {@code
 * memory.allocator()}.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private TestingAllocator allocator = new TestingAllocator();

  /** Returns the running test's allocator. */
  public TestingAllocator allocator() {
    return allocator;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    allocator = new TestingAllocator();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    allocator.assertNothingOpen();
  }
}
