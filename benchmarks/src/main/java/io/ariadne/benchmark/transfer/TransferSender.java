package io.ariadne.benchmark.transfer;

/** Serves blocks until it is closed. */
interface TransferSender extends AutoCloseable {
  /** Returns the port that this listens on. */
  int port();

  @Override
  void close();
}
