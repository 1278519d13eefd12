package io.ariadne.backend;

/**
 * Bytes of host memory that are copied to a device.
 *
 * @param address the first byte
 * @param lengthInBytes how many, not negative
 */
public record HostRange(long address, long lengthInBytes) {}
