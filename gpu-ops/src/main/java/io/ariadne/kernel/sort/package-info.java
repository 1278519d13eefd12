/**
 * Sorting as Java sees it: {@link io.ariadne.kernel.sort.RowSort} brings the rows of columns into
 * an order of {@link io.ariadne.kernel.sort.SortKey}s.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi}, {@code kernel.column}, {@code columnar} and
 * {@code error}. Knows nothing of operators, runs or memory tiers.
 */
package io.ariadne.kernel.sort;
