package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;

/** The GPU of this machine, for tests that need one. */
public final class RealDriver {
  private RealDriver() {}

  /** Opens the first GPU; where there is none, the calling test is skipped, with the reason. */
  public static CudaBackend open() {
    Optional<String> reason = CudaBackend.reasonAgainst(0);
    assumeTrue(reason.isEmpty(), () -> "no GPU: " + reason.orElse(""));
    CudaBackend backend = CudaBackend.open(0);
    boolean isFake = backend.deviceName().contains(FakeDriver.DEVICE_NAME);
    if (isFake) {
      backend.close();
    }
    assumeFalse(isFake, "no GPU: this process has loaded the fake driver");
    return backend;
  }
}
