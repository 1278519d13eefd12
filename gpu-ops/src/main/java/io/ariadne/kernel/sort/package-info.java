/**
 * Java access to the kernels that sort: {@link io.ariadne.kernel.sort.RowSort} sorts the rows of
 * columns by {@link io.ariadne.kernel.sort.SortKey}s.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi}, {@code kernel.column}, {@code columnar} and
 * {@code error}. Knows nothing of operators, runs or memory tiers.
 */
package io.ariadne.kernel.sort;
