package io.ariadne.spill.disk;

import java.util.List;

/**
 * Where a block's bytes are: frames that follow one another from the extent's first byte on.
 *
 * @param extent the range, owned by whoever has this
 * @param frames what is in it
 */
record StoredFrames(SpillDirectory.Extent extent, List<Frame> frames) {}
