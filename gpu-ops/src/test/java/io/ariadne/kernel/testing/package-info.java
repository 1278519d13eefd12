/**
 * What the suites of kernels share: the targets a suite runs on, and the recorded work budgets.
 *
 * <p>A suite is an abstract class over {@link io.ariadne.kernel.testing.KernelTestTarget}; a
 * subclass of a few lines per target runs it. May depend on {@code backend} and its test back ends
 * and on {@code columnar}; knows no kernel.
 */
package io.ariadne.kernel.testing;
