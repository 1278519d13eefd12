/**
 * Where kernels run: the {@link io.ariadne.backend.Backend} contract.
 *
 * <p>May depend on {@code columnar.buffer}, {@code memory} and {@code error}. Knows nothing of
 * operators or of Spark.
 */
package io.ariadne.backend;
