package io.ariadne.executor;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/** Opens the back end that the settings ask for, and says why it was chosen. */
final class BackendSelector {
  private BackendSelector() {}

  /**
   * Opens a back end.
   *
   * @throws EngineException with a message of one line when it cannot be had
   */
  static SelectedBackend select(BackendChoice choice) {
    return switch (choice) {
      case CPU -> new SelectedBackend(HostBackend.open(), "set");
      case AUTO -> new SelectedBackend(HostBackend.open(), "this build has no GPU back end");
      case CUDA ->
          throw new EngineException(
              ErrorCode.CONFIGURATION, "back end cuda: this build has no GPU back end; use cpu");
    };
  }
}
