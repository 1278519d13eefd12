/**
 * The context that Spark's code expects on any thread that works for a task: {@link
 * io.ariadne.bridge.task.SparkTaskScope}, and the file of its rows: {@link
 * io.ariadne.bridge.task.InputFiles}.
 *
 * <p>May depend on Spark core. Knows nothing of columns or expressions.
 */
package io.ariadne.bridge.task;
