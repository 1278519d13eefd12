package io.ariadne.spill;

/** Decides in which order batches leave a memory space. Stateless or thread-safe. */
public interface EvictionPolicy {
  /** Creates the queue of one memory space, empty. */
  EvictionQueue newQueue();
}
