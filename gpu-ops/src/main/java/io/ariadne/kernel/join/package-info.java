/**
 * Pairs of rows with equal keys: {@link io.ariadne.kernel.join.JoinRowsKernel}.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi}, {@code columnar} and {@code error}. Knows
 * nothing of hashing, which numbers the keys, nor of operators.
 */
package io.ariadne.kernel.join;
