/**
 * The code that runs in Spark's tasks: {@link io.ariadne.rules.exec.task.FragmentStart} submits a
 * fragment to the process's runtime and returns its output to Spark; {@link
 * io.ariadne.rules.exec.task.SparkTaskEnvironment} sets the task's thread-local state on the
 * runtime's threads; {@link io.ariadne.rules.exec.task.RangeBatches} computes the integers of a
 * range; {@link io.ariadne.rules.exec.task.KeySample} samples the keys of a range partitioning.
 *
 * <p>May depend on {@code rules.exec.metrics}, {@code rules.expression}, {@code rules.scan}, {@code
 * rules.broadcast}, {@code plan}, {@code executor}, {@code task} and {@code bridge}. Knows nothing
 * of nodes in Spark's plans. Exchanges have their own code in tasks, in module {@code
 * shuffle-manager}.
 */
package io.ariadne.rules.exec.task;
