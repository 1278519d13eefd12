package io.ariadne.benchmark.engine;

import java.io.Serial;
import java.io.Serializable;
import java.util.Collection;
import java.util.Objects;

/**
 * What an engine holds between queries, over all its processes.
 *
 * @param liveBytes bytes of memory pools that are in use
 * @param peakBytes the peak of these bytes since the start, added up over processes
 * @param mapOutputs map outputs in memory
 * @param lostDevice why a GPU is lost; null while none is
 */
public record EngineState(long liveBytes, long peakBytes, int mapOutputs, String lostDevice)
    implements Serializable {
  /** The state of an engine that does not report it. */
  public static final EngineState UNKNOWN = new EngineState(0, 0, 0, null);

  @Serial private static final long serialVersionUID = 1;

  /** Adds up the states of processes. */
  static EngineState sum(Collection<EngineState> states) {
    return new EngineState(
        states.stream().mapToLong(EngineState::liveBytes).sum(),
        states.stream().mapToLong(EngineState::peakBytes).sum(),
        states.stream().mapToInt(EngineState::mapOutputs).sum(),
        states.stream()
            .map(EngineState::lostDevice)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null));
  }
}
