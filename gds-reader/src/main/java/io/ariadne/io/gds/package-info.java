/**
 * Reads local files into the memory of a GPU: with cuFile where storage writes to GPU memory
 * directly, else through page-locked pages of the host. {@link io.ariadne.io.gds.GdsReaderProvider}
 * is found by name; {@link io.ariadne.io.gds.DirectStorage} tells the mode, registers memory, and
 * queues reads on CUDA streams.
 *
 * <p>{@code CuFileLibrary} binds NVIDIA's libcufile at run time, through functions of the host
 * library ({@code cufile_jni.cpp}). {@code CuFileDriver} is the process's session. {@code
 * RegisteredFiles} and {@code RegisteredBuffers} are what the session knows. {@code FileSystems}
 * remembers which file systems cuFile reads directly. {@code ReadPlan} cuts ranges into aligned
 * pieces for cuFile and the rest, which {@code StagingPages} copies.
 *
 * <p>May depend on {@code io}, {@code backend}, {@code backend.cpu} (to load the host library),
 * {@code memory}, {@code event}, {@code columnar.buffer} and {@code error}. Knows nothing of file
 * formats, of the allocation of device memory, or of JCuda: a device buffer is an address and a
 * tier.
 */
package io.ariadne.io.gds;
