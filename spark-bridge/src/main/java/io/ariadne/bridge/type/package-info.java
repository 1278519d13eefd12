/**
 * Maps Spark's types to Ariadne's and back: {@link io.ariadne.bridge.type.SparkTypes}.
 *
 * <p>May depend on {@code columnar.type} and Spark's types. Knows nothing of values.
 */
package io.ariadne.bridge.type;
