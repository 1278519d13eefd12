/** Suites of the bit-unpacking kernels; one subclass per target. */
package io.ariadne.kernel.unpack;
