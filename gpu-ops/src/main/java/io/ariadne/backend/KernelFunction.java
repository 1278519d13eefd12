package io.ariadne.backend;

/**
 * A kernel of one back end and what a launch has to know of it.
 *
 * @param name the name in its source
 * @param handle address or driver handle; means something to its back end only
 * @param blockSize threads per block on a GPU
 * @param itemsPerThread rows one thread handles per tile
 * @param dynamicSharedBytes dynamic shared memory per block when the launch does not say
 * @param argumentBytes size of the argument struct
 */
public record KernelFunction(
    String name,
    long handle,
    int blockSize,
    int itemsPerThread,
    int dynamicSharedBytes,
    int argumentBytes) {}
