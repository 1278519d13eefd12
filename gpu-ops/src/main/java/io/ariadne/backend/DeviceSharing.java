package io.ariadne.backend;

/**
 * How the processes of a machine share devices of one kind.
 *
 * @param memoryInBytes memory of the device for all processes; 0 when it has no memory of its own
 * @param devices how many devices the processes use, including this one
 * @param isOwn whether a resource manager has assigned the device to this process
 */
public record DeviceSharing(long memoryInBytes, int devices, boolean isOwn) {}
