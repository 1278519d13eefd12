package io.ariadne.executor;

/**
 * How a runtime uses its tiers, in bytes; a snapshot.
 *
 * @param hostBytes host memory in use
 * @param hostLimit host memory that may be
 * @param deviceBytes device memory in use, 0 without a device
 * @param deviceLimit device memory that may be, 0 without a device
 * @param hostedBytes batches of the device that lie on the host or, from there, on disk
 * @param diskBytes batches on disk
 * @param pageBytes pages through which bytes go to disk, pinned where there is a device; they stay
 *     for the next time
 * @param movedFromDevice what moves from the device have freed so far
 * @param movedFromHost what moves from the host to disks have freed so far
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
