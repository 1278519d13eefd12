package io.ariadne.operator.join;

import io.ariadne.spill.SpillableBatch;

/**
 * A batch of a build side that is not divided.
 *
 * @param sequence the number of the input batch that it was made of
 * @param rows owned by the holder
 */
record BuildBatch(long sequence, SpillableBatch rows) {}
