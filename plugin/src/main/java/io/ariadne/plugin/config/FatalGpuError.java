package io.ariadne.plugin.config;

/** What an executor does after an error that its use of the GPU does not survive. */
public enum FatalGpuError {
  /** It goes on with the CPU kernels. */
  FALLBACK,
  /** It ends, so that Spark starts another in its place. */
  EXIT
}
