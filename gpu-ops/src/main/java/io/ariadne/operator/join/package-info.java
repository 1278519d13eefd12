/**
 * Hash joins, in memory and spilled: {@link io.ariadne.operator.join.HashJoin}.
 *
 * <p>May depend on {@code operator} and what that may depend on. Knows nothing of tasks, threads or
 * Spark; {@code operator} does not depend on this package.
 */
package io.ariadne.operator.join;
