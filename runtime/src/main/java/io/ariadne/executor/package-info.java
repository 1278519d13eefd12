/**
 * Holds what a process needs to run fragments. {@link io.ariadne.executor.ExecutorRuntime} creates
 * the back end, the memory pool and the compute threads from a {@link
 * io.ariadne.executor.RuntimeConfig}.
 *
 * <p>May depend on {@code fragment}, {@code plan}, {@code compute}, {@code backend}, {@code memory}
 * and {@code columnar}. Knows nothing of Spark or of the names of settings.
 */
package io.ariadne.executor;
