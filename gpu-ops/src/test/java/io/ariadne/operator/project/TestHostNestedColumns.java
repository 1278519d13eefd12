package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnHost;
import java.util.List;

/** Nested columns on the host. */
class TestHostNestedColumns extends AbstractTestNestedColumns implements OnHost {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(0, 1, 7, 8, 65, 1025, 2049);
  }
}
