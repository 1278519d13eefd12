package io.ariadne.backend;

/**
 * What the processes of a machine share of a kind of device.
 *
 * @param memoryInBytes memory of the device in use, for all processes; 0 when it has none of its
 *     own
 * @param devices how many devices the processes are spread over, this one included
 * @param isOwn whether a resource manager has given the device to this process
 */
public record DeviceSharing(long memoryInBytes, int devices, boolean isOwn) {}
