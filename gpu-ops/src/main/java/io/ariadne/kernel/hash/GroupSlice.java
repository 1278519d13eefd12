package io.ariadne.kernel.hash;

import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * Consecutive groups of a {@link GroupTable}, or of several with keys in one buffer.
 *
 * @param keys normalised keys as in {@link GroupTable#groupKeys()}, where kernels see them
 * @param heap bytes of their long strings
 * @param firstGroup the first one's number in {@code keys}
 * @param count how many
 */
public record GroupSlice(MemoryBuffer keys, MemoryBuffer heap, long firstGroup, int count) {}
