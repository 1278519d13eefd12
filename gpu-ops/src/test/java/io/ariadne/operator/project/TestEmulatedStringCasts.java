package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnEmulator;
import java.util.List;

/** Casts from strings and to strings with the GPU form of the kernels, on the emulator. */
class TestEmulatedStringCasts extends AbstractTestStringCasts implements OnEmulator {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 65, 200);
  }
}
