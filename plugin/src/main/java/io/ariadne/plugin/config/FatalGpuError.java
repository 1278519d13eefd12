package io.ariadne.plugin.config;

/**
 * What an executor does when its GPU is lost: after an error that leaves the GPU unable to run
 * anything for this process.
 */
public enum FatalGpuError {
  /** It continues with the CPU kernels. */
  FALLBACK,
  /** It exits, so that Spark starts another executor in its place. */
  EXIT
}
