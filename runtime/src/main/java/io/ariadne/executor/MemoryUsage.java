package io.ariadne.executor;

/**
 * How much of each memory tier a runtime uses, in bytes; a snapshot.
 *
 * @param hostBytes host memory in use
 * @param hostLimit limit of host memory
 * @param deviceBytes device memory in use, 0 without a device
 * @param deviceLimit limit of device memory, 0 without a device
 * @param hostedBytes batches of the device that are on the host or, from there, on disk
 * @param diskBytes batches on disk
 * @param pageBytes pages for reading from and writing to disk, pinned if there is a device; they
 *     are kept for reuse
 * @param movedFromDevice bytes that moves from the device have freed so far
 * @param movedFromHost bytes that moves from the host to disk have freed so far
 */
public record MemoryUsage(
    long hostBytes,
    long hostLimit,
    long deviceBytes,
    long deviceLimit,
    long hostedBytes,
    long diskBytes,
    long pageBytes,
    long movedFromDevice,
    long movedFromHost) {}
