package io.ariadne.bridge.shuffle;

/**
 * A shuffle manager that is no Spark's own and yet does with blocks what {@link BlockShuffle}
 * needs: each is written, or copied, before the next one is asked for, and no code but ours and
 * Spark's sees them.
 */
public interface BlockShuffleManager {}
