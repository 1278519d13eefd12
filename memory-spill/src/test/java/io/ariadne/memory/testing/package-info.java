/**
 * What tests of code that takes memory from pools need: {@link
 * io.ariadne.memory.testing.PoolCheck}.
 *
 * <p>May depend on {@code memory} and on JUnit. Published as a test-jar.
 */
package io.ariadne.memory.testing;
