/**
 * The class that users name in {@code spark.shuffle.manager}. What it does is in {@code
 * shuffle.spark} of module {@code shuffle-manager}.
 *
 * <p>May depend on Spark, {@code shuffle.spark} and {@code plugin.config}.
 */
package io.ariadne.shuffle;
