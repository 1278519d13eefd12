package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnHost;
import java.util.List;

/** Casts from strings and to strings on the host. */
class TestHostStringCasts extends AbstractTestStringCasts implements OnHost {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 63, 64, 65, 3000);
  }
}
