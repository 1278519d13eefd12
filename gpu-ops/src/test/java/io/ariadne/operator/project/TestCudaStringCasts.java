package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnCuda;
import java.util.List;

/** Casts from strings and to strings on a GPU. */
class TestCudaStringCasts extends AbstractTestStringCasts implements OnCuda {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 65, 70000);
  }
}
