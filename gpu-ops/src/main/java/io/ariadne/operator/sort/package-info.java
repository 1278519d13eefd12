/**
 * External sorting and top-n: {@link io.ariadne.operator.sort.SortOperatorFactory}.
 *
 * <p>May depend on {@code operator} and what that may depend on. Knows nothing of tasks, threads or
 * Spark; {@code operator} does not depend on this package.
 */
package io.ariadne.operator.sort;
