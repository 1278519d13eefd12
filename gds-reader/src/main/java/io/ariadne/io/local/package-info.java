/**
 * Reads files of this machine's file systems through system calls of Linux: positional reads on the
 * calling thread, {@code io_uring} for reads that run beside it, and direct I/O for files that
 * would not fit the page cache. Enter at {@link io.ariadne.io.local.LocalStorage} and {@link
 * io.ariadne.io.local.LinuxReaderProvider}.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer}, {@code error}, {@code memory}, {@code
 * event} and {@code backend.cpu}, whose library has the native functions. Knows nothing of file
 * formats or callers.
 */
package io.ariadne.io.local;
