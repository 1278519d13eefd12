/**
 * Joins by hashing: {@link io.ariadne.operator.join.HashJoin}.
 *
 * <p>May depend on {@code operator} and what that may depend on. Knows nothing of tasks, threads or
 * Spark; {@code operator} does not know it.
 */
package io.ariadne.operator.join;
