package io.ariadne.executor;

/** Which back end a process uses. */
public enum BackendChoice {
  /** The best back end that the machine supports. */
  AUTO,
  /** Kernels on the CPU. */
  CPU,
  /** Kernels on a GPU; the process does not start without one. */
  CUDA,
  /** Kernels on the CPU over the memory of a simulated device; for trials. */
  SIMULATED
}
