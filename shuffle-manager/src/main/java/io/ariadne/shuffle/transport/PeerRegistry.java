package io.ariadne.shuffle.transport;

import java.util.Optional;

/** Knows the executors of the application. Thread-safe; its methods may block. */
public interface PeerRegistry {
  /**
   * Returns where an executor serves its blocks; empty when it does not, or that cannot be found.
   *
   * @param executor Spark's id of the executor
   */
  Optional<Peer> find(String executor);

  /**
   * Returns whether an executor that does not answer may still run; true when that is not known.
   *
   * @param executor Spark's id of the executor
   */
  boolean isAlive(String executor);
}
