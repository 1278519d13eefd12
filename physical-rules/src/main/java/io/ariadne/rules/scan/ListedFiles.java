package io.ariadne.rules.scan;

import io.ariadne.bridge.file.SparkFiles;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.ReadCounters;
import io.ariadne.parquet.scan.FileOpener;
import io.ariadne.parquet.scan.FileSlice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/** Opens the files of one task with what Spark's listing says about them. Thread-safe. */
final class ListedFiles implements FileOpener {
  private final SparkFiles files;
  private final Map<String, Listed> listed = new HashMap<>();
  private final ReadCounters counters;

  /**
   * What the listing says about a file.
   *
   * @param length its length
   * @param modificationTimeMillis its modification time
   */
  private record Listed(long length, long modificationTimeMillis) {
    static final Listed NOT = new Listed(OpenRequest.UNKNOWN, OpenRequest.UNKNOWN);
  }

  /**
   * Creates an opener.
   *
   * @param files opens files
   * @param partition the task's files
   * @param counters counts requests
   */
  ListedFiles(SparkFiles files, FilePartition partition, ReadCounters counters) {
    this.files = files;
    this.counters = counters;
    for (PartitionedFile file : partition.files()) {
      if (file.fileSize() > 0 && file.modificationTime() > 0) {
        listed.put(file.urlEncodedPath(), new Listed(file.fileSize(), file.modificationTime()));
      }
    }
  }

  @Override
  public ByteRangeReader open(FileSlice slice) throws IOException {
    Listed file = listed.getOrDefault(slice.path(), Listed.NOT);
    return files.open(slice.path(), file.length(), file.modificationTimeMillis(), counters);
  }

  /** Returns false for a file system that cannot be opened: opening the file tells why. */
  @Override
  public boolean isSlow(FileSlice slice) {
    try {
      return files.isRemote(slice.path());
    } catch (UncheckedIOException e) {
      return false;
    }
  }
}
