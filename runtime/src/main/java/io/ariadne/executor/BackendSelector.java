package io.ariadne.executor;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.backend.cuda.CudaBackend;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.error.EngineException;

/** Opens the back end that the configuration asks for, with the reason for the choice. */
final class BackendSelector {
  private BackendSelector() {}

  /**
   * Opens a back end.
   *
   * @param config says which back end and which GPU
   * @throws EngineException with a message of one line if the back end is not available
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

  /**
   * Returns why AUTO chose the CPU. AUTO never chooses a GPU, because most queries still take
   * longer on a GPU than on the CPU (docs/benchmarks/gpu); the user must ask for it.
   */
  private static String reasonForProcessor() {
    return CudaBackend.reasonAgainst(CudaBackend.configuredDevice())
        .map(reason -> "no GPU: " + reason)
        .orElse("auto, a GPU is used when the back end is set to cuda");
  }
}
