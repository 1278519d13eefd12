package io.ariadne.benchmark.transfer;

import java.util.List;

/** Fetches blocks into memory. */
interface TransferReceiver extends AutoCloseable {
  /**
   * A sender.
   *
   * @param host its address
   * @param port its port
   */
  record Source(String host, int port) {}

  /**
   * Fetches blocks of all sources at the same time, as one reduce task does.
   *
   * @param sources the senders
   * @param blocks blocks of each, from block 0 on
   * @param blockBytes bytes of each block
   * @return when the last block of each source was there, in nanoseconds from the begin
   */
  long[] fetch(List<Source> sources, int blocks, int blockBytes) throws Exception;

  @Override
  void close();
}
