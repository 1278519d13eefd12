package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;

/** Suites on the host. */
public interface OnHost extends BackendUnderTest {
  @Override
  default Backend openBackend(long seed) {
    return HostBackend.open();
  }
}
