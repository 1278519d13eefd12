package io.ariadne.shuffle.spark;

import org.apache.spark.shuffle.ShuffleReadMetricsReporter;

/** Is told what Spark's reports leave out: how Ariadne's transport and strategies serve a task. */
interface TransferReporter {
  /** Ignores everything. */
  TransferReporter NONE =
      new TransferReporter() {
        @Override
        public void received(long bytes, long plainBytes) {}

        @Override
        public void repeated(long requests) {}

        @Override
        public void merged(long bytes) {}

        @Override
        public void requested(long nanos) {}

        @Override
        public void readBack(long bytes) {}
      };

  /** Returns the reporter itself if it is told of transfers, else {@link #NONE}. */
  static TransferReporter of(ShuffleReadMetricsReporter reporter) {
    return reporter instanceof TransferReporter transfers ? transfers : NONE;
  }

  /**
   * Notes a block of a peer that the task reads.
   *
   * @param bytes its bytes as they were sent
   * @param plainBytes its bytes before compression
   */
  void received(long bytes, long plainBytes);

  /** Notes requests that had to be made again: they had failed, or the peer was busy. */
  void repeated(long requests);

  /** Notes bytes of a merged block that the task reads. */
  void merged(long bytes);

  /** Notes the time in which the task had open requests to peers. */
  void requested(long nanos);

  /** Notes bytes of map outputs, of any executor, that were read back from disk for the task. */
  void readBack(long bytes);
}
