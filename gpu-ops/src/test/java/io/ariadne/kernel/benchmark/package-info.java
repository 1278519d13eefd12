/**
 * Timings of single kernels of the host library, each a program with a main method.
 *
 * <p>{@code -Dariadne.native.isa=v3} or {@code v4} chooses the library, so a comparison is two
 * runs. May depend on everything that tests may; nothing depends on it.
 */
package io.ariadne.kernel.benchmark;
