/**
 * What a process runs Ariadne with: {@link io.ariadne.executor.ExecutorRuntime} holds the back end,
 * the memory pool and the compute threads, from {@link io.ariadne.executor.RuntimeConfig}.
 *
 * <p>May depend on {@code task}, {@code plan}, {@code compute}, {@code backend}, {@code memory} and
 * {@code columnar}. Knows nothing of Spark nor of how settings are spelt.
 */
package io.ariadne.executor;
