/**
 * What tests of batches need: an allocator that finds leaks ({@link
 * io.ariadne.columnar.testing.LeakCheck}), random batches with edge values, comparison of batches.
 *
 * <p>May depend on {@code columnar} and its packages and on JUnit. Published as a test-jar.
 */
package io.ariadne.columnar.testing;
