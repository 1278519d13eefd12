/**
 * Holds what a process needs to run Ariadne: {@link io.ariadne.executor.ExecutorRuntime} holds the
 * back end, the memory pool and the compute threads, from {@link
 * io.ariadne.executor.RuntimeConfig}.
 *
 * <p>May depend on {@code fragment}, {@code plan}, {@code compute}, {@code backend}, {@code memory}
 * and {@code columnar}. Knows nothing of Spark or of the names of settings.
 */
package io.ariadne.executor;
