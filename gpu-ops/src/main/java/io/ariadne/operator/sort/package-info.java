/**
 * Sorting of whole inputs: {@link io.ariadne.operator.sort.SortOperatorFactory}.
 *
 * <p>May depend on {@code operator} and what that may depend on. Knows nothing of tasks, threads or
 * Spark; {@code operator} does not know it.
 */
package io.ariadne.operator.sort;
