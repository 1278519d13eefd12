/**
 * Kernels on an NVIDIA GPU, through the driver API alone.
 *
 * <p>{@link io.ariadne.backend.cuda.CudaBackend} is the entry. The only package that sees JCuda.
 * May depend on {@code backend}, {@code backend.cpu} (unpacked libraries, the table of kernels),
 * {@code memory}, {@code event}, {@code columnar.buffer}, {@code kernel.abi} and {@code error}.
 * Knows nothing of columns, operators or Spark, and never reads device memory from the host.
 */
package io.ariadne.backend.cuda;
