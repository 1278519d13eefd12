package io.ariadne.operator;

import io.ariadne.kernel.testing.OnFakeCuda;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Casts from strings and to strings on the CUDA back end over the fake driver. */
@Timeout(60)
class TestFakeCudaStringCasts extends AbstractTestStringCasts implements OnFakeCuda {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(65);
  }
}
