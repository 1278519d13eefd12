package io.ariadne.io;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Reads bytes of files before they are needed, for all scans of a process, with its own threads and
 * within its own share of the memory. Thread-safe.
 */
public interface ReadAhead {
  /**
   * Opens the reads of one scan. The thread that calls this works for the scan's fragment; steps of
   * the scan run in the same environment.
   *
   * @param name name of the scan for messages
   * @param counters returns the scan's counter of a name: {@link ReadAheadScan} lists them
   * @return the scan's reads, to be closed by the caller
   */
  ReadAheadScan open(String name, Function<String, LongAdder> counters);
}
