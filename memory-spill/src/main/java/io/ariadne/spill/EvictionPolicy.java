package io.ariadne.spill;

import java.util.Collection;
import java.util.List;

/** Chooses which batches leave memory. Stateless or thread-safe; moves nothing itself. */
public interface EvictionPolicy {
  /**
   * Chooses victims, first to go first.
   *
   * <p>The sum of their {@link SpillableBatch#freeableBytes} reaches {@code bytesWanted} if the
   * candidates allow it, and no suffix of the list could be left out. The mover asks again whether
   * memory is still short before each victim and stops when it is not.
   *
   * @param candidates batches of one tier; some may stop being idle at any time
   * @param bytesWanted bytes to be freed, positive
   * @return victims, a subset of the candidates; empty when none may go
   */
  List<SpillableBatch> chooseVictims(Collection<SpillableBatch> candidates, long bytesWanted);
}
