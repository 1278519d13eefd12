/**
 * The processor back end: loading of the native host library and the table of its kernels.
 *
 * <p>{@link io.ariadne.backend.cpu.NativeLibrary} loads the library, {@link
 * io.ariadne.backend.cpu.KernelTable} finds kernels in it.
 *
 * <p>It may depend on {@code backend}, {@code kernel.abi}, {@code columnar.buffer}, {@code memory}
 * and {@code error}. It must not know operators, the CUDA back end or Spark.
 */
package io.ariadne.backend.cpu;
