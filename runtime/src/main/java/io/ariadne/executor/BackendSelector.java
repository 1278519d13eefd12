package io.ariadne.executor;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.backend.cuda.CudaBackend;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.error.EngineException;

/** Opens the back end that the settings ask for, and says why it was chosen. */
final class BackendSelector {
  private BackendSelector() {}

  /**
   * Opens a back end.
   *
   * @param config says which, and which GPU
   * @throws EngineException with a message of one line when it cannot be had
   */
  static SelectedBackend select(RuntimeConfig config) {
    return switch (config.backend()) {
      case CPU -> new SelectedBackend(HostBackend.open(), "set");
      case AUTO -> new SelectedBackend(HostBackend.open(), reasonForProcessor());
      case CUDA -> {
        CudaBackend backend = CudaBackend.open(config.device().gpu());
        yield new SelectedBackend(backend, "set; " + backend.description());
      }
      case SIMULATED -> {
        SimulatedDevice device = SimulatedDevice.configured();
        yield new SelectedBackend(SimulatedBackend.open(device), "set; " + device);
      }
    };
  }

  /** On a GPU most queries take longer so far (docs/benchmarks/gpu), so it must be asked for. */
  private static String reasonForProcessor() {
    return CudaBackend.reasonAgainst(CudaBackend.configuredDevice())
        .map(reason -> "no GPU: " + reason)
        .orElse("auto, a GPU is used when the back end is set to cuda");
  }
}
