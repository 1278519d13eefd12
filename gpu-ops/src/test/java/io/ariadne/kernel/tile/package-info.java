/** Suites of the kernel {@code tile_program}; one subclass per target. */
package io.ariadne.kernel.tile;
