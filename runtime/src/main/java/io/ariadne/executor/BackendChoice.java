package io.ariadne.executor;

/** Which back end a process is told to use. */
public enum BackendChoice {
  /** The best one the machine has. */
  AUTO,
  /** Kernels on the processor. */
  CPU,
  /** Kernels on a GPU; a process that cannot have it does not start. */
  CUDA,
  /** Kernels on the processor over the memory of a device that is simulated; to try things out. */
  SIMULATED
}
