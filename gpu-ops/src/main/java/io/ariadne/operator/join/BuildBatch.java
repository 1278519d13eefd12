package io.ariadne.operator.join;

import io.ariadne.spill.SpillableBatch;

/**
 * A batch of a build side that is not divided.
 *
 * @param sequence its place in the input
 * @param rows owned by the holder
 */
record BuildBatch(long sequence, SpillableBatch rows) {}
