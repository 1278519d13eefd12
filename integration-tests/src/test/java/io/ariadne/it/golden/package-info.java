/**
 * Spark's own SQL tests, with the answers that Spark's developers recorded ({@link
 * io.ariadne.it.golden.GoldenFile}), answered by Ariadne ({@link io.ariadne.it.golden.GoldenIT}).
 *
 * <p>The files come out of Spark's test archive, which the build unpacks. Their data are constants,
 * which Spark computes while it plans. So every query also runs without this optimization, and with
 * columns instead of constants ({@link io.ariadne.it.golden.ColumnsForLiterals}). May depend on
 * {@code it.sql} and Spark; must not know how Ariadne translates plans.
 */
package io.ariadne.it.golden;
