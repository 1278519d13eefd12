/**
 * Aggregations whose input is read in rounds, with the result of what has been read after each of
 * them: {@link io.ariadne.rules.partial.QueryRounds}. The groups of all rounds so far are map
 * outputs of Ariadne's shuffles.
 *
 * <p>May depend on {@code rules.exec}, {@code shuffle.strategy} and {@code shuffle.spark}. Nothing
 * of {@code rules} depends on it.
 */
package io.ariadne.rules.partial;
