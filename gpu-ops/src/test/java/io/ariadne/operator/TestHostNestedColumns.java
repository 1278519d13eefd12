package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import java.util.List;

/** Nested columns on the host. */
class TestHostNestedColumns extends AbstractTestNestedColumns {
  @Override
  protected Backend openBackend(long seed) {
    return HostBackend.open();
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(0, 1, 7, 8, 65, 1025, 2049);
  }
}
