/** Suites of the kernel {@code group_assign}; one subclass per target. */
package io.ariadne.kernel.hash;
