package io.ariadne.plugin.config;

/**
 * What an executor does when its GPU is lost: after an error that leaves the GPU unable to run
 * anything for this process.
 */
public enum FatalGpuError {
  /** It goes on with the CPU kernels. */
  FALLBACK,
  /** It ends, so that Spark starts another in its place. */
  EXIT
}
