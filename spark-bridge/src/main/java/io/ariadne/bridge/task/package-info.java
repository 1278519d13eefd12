/**
 * What Spark's code expects around it on any thread that works for a task: {@link
 * io.ariadne.bridge.task.SparkTaskScope}, and which file its rows are of: {@link
 * io.ariadne.bridge.task.InputFiles}.
 *
 * <p>May depend on Spark core. Knows nothing of columns or expressions.
 */
package io.ariadne.bridge.task;
