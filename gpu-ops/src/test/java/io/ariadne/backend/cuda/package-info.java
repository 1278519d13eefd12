/**
 * Tests of the CUDA back end: on a GPU where there is one, and everywhere over a fake driver.
 *
 * <p>{@link io.ariadne.backend.cuda.FakeDriver} is a {@code libcuda.so.1} of our own under
 * unmodified JCuda; a process that uses it cannot use a real one, so these tests have a JVM of
 * their own.
 */
package io.ariadne.backend.cuda;
