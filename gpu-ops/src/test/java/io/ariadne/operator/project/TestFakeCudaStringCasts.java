package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnFakeCuda;
import java.util.List;

/** Casts from strings and to strings on the CUDA back end over the fake driver. */
class TestFakeCudaStringCasts extends AbstractTestStringCasts implements OnFakeCuda {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(65);
  }
}
