/**
 * Suites of the column kernels (gather, string offsets and characters); one subclass per target.
 */
package io.ariadne.kernel.column;
