package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;

/** The hash aggregation on the host. */
class TestHostHashAggregate extends AbstractTestHashAggregate {
  @Override
  protected Backend openBackend(long seed) {
    return HostBackend.open();
  }

  @Override
  protected int cases() {
    return 100;
  }

  @Override
  protected int maxRows() {
    return 5000;
  }
}
