package io.ariadne.backend;

/** A place where kernels run. Thread-safe; opened once per process. */
public interface Backend extends AutoCloseable {
  /** Returns the name people configure and read: {@code cpu} or {@code cuda}. */
  String name();

  /** Returns the instruction set level in use, for example {@code x86-64-v3} or {@code sm_90}. */
  String isa();

  /** Gives back everything the back end holds; no kernel may be running. */
  @Override
  void close();
}
