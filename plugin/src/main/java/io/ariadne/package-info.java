/**
 * The classes that users name: {@link io.ariadne.AriadnePlugin} in {@code spark.plugins}, and
 * {@link io.ariadne.PartialResults} in programs.
 *
 * <p>May depend on {@code plugin} and {@code rules.partial}. Holds only these classes.
 */
package io.ariadne;
