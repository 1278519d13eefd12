package io.ariadne.kernel.hash;

import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * Consecutive groups of a {@link GroupTable}, or of several tables with keys in one buffer.
 *
 * @param keys normalised keys as in {@link GroupTable#groupKeys()}, in kernel memory
 * @param heap bytes of their long strings
 * @param firstGroup the number of the first group in {@code keys}
 * @param count how many
 */
public record GroupSlice(MemoryBuffer keys, MemoryBuffer heap, long firstGroup, int count) {}
