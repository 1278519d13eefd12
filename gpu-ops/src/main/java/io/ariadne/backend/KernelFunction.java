package io.ariadne.backend;

/**
 * A kernel of one back end with the properties that a launch needs.
 *
 * @param name the name in its source
 * @param handle address or driver handle; only its back end can interpret it
 * @param blockSize threads per block on a GPU
 * @param itemsPerThread rows that one thread processes per tile
 * @param dynamicSharedBytes dynamic shared memory per block unless the launch sets it
 * @param argumentBytes size of the argument struct
 */
public record KernelFunction(
    String name,
    long handle,
    int blockSize,
    int itemsPerThread,
    int dynamicSharedBytes,
    int argumentBytes) {}
