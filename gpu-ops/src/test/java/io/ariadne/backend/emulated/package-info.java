/**
 * The emulated back end of the tests: the GPU form of the kernels, run on the processor with every
 * memory access checked.
 *
 * <p>{@link io.ariadne.backend.emulated.EmulatedBackend} is the entry. It may depend on {@code
 * backend}, {@code backend.cpu}'s kernel table, {@code kernel.abi} and {@code columnar.buffer}.
 */
package io.ariadne.backend.emulated;
