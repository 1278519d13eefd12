package io.ariadne.benchmark.cloudsort;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ariadne.benchmark.report.ProgressBar;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopOutputFile;

/**
 * The records of one size in Parquet files of a folder, written once. A file beside them, written
 * last, says that they are complete.
 */
public final class SortInput {
  /** The most records of a file, which are one row group and one split. */
  private static final long FILE_RECORDS = 1_000_000;

  /** The fewest files, so that several tasks read a small input. */
  private static final int FEWEST_FILES = 8;

  private static final String MARKER = "_cloudsort.json";

  /**
   * The content of the marker.
   *
   * @param seed seed of the records
   * @param records their number
   * @param checksum sum of their CRC32
   * @param bytes lengths of all files
   */
  private record Marker(long seed, long records, long checksum, long bytes) {}

  /** One file. */
  private record Part(Path path, long first, long end) {}

  private final FileSystem store;
  private final Path folder;
  private final SortRecords records;
  private final long count;
  private final ObjectMapper json = new ObjectMapper();
  private Marker marker;

  /**
   * Creates an input, which may exist or not.
   *
   * @param folder of this input only
   * @param count number of records
   */
  public SortInput(FileSystem store, Path folder, SortRecords records, long count)
      throws IOException {
    this.store = store;
    this.folder = folder;
    this.records = records;
    this.count = count;
    marker = readMarker();
  }

  private Marker readMarker() throws IOException {
    Path path = new Path(folder, MARKER);
    if (!store.exists(path)) {
      return null;
    }
    Marker read;
    try (InputStream stream = store.open(path)) {
      read = json.readValue(stream, Marker.class);
    }
    boolean isThis = read.seed == records.seed() && read.records == count;
    return isThis && read.bytes == storedBytes() ? read : null;
  }

  private long storedBytes() throws IOException {
    long bytes = 0;
    for (FileStatus file : store.listStatus(folder)) {
      bytes += file.getPath().getName().equals(MARKER) ? 0 : file.getLen();
    }
    return bytes;
  }

  /** Returns whether all files are there. */
  public boolean isComplete() {
    return marker != null;
  }

  /** Returns the bytes of all records, without the overhead of files. */
  public long recordBytes() {
    return count * SortRecords.BYTES;
  }

  /** Returns the bytes of all files; the input is complete. */
  public long fileBytes() {
    return marker.bytes;
  }

  /** Returns the number of records. */
  public long count() {
    return count;
  }

  /** Returns the address of the folder. */
  public String address() {
    return folder.toString();
  }

  /** Returns the check of an output of this input, which is complete. */
  public SortCheck check() {
    return new SortCheck(records, count, marker.checksum);
  }

  /**
   * Writes the files, if they are not complete.
   *
   * @param threads files that are written at the same time
   */
  public void generate(int threads) throws IOException {
    if (isComplete()) {
      return;
    }
    store.delete(folder, true);
    List<Part> parts = parts();
    List<Callable<Long>> writes = new ArrayList<>();
    long checksum;
    try (ProgressBar progress = new ProgressBar("Generating " + folder.getName(), parts.size())) {
      for (Part part : parts) {
        writes.add(
            () -> {
              long sum = write(part);
              progress.step();
              return sum;
            });
      }
      checksum =
          Parallel.run("generation of " + folder, threads, writes).stream()
              .mapToLong(Long::longValue)
              .sum();
    }
    Marker complete = new Marker(records.seed(), count, checksum, storedBytes());
    try (OutputStream stream = store.create(new Path(folder, MARKER), true)) {
      stream.write(json.writeValueAsBytes(complete));
    }
    marker = complete;
  }

  private List<Part> parts() {
    long size = Math.max(1, Math.min(FILE_RECORDS, (count + FEWEST_FILES - 1) / FEWEST_FILES));
    List<Part> parts = new ArrayList<>();
    for (long first = 0; first < count; first += size) {
      Path path = new Path(folder, "part-%05d.parquet".formatted(parts.size()));
      parts.add(new Part(path, first, Math.min(count, first + size)));
    }
    return parts;
  }

  /** Writes a file; returns the sum of the CRC32 of its records. */
  private long write(Part part) throws IOException {
    long checksum = 0;
    CRC32 crc = new CRC32();
    byte[] record = new byte[SortRecords.BYTES];
    try (RecordFileWriter writer =
        new RecordFileWriter(
            HadoopOutputFile.fromPath(part.path, store.getConf()), store.getConf())) {
      for (long number = part.first; number < part.end; number++) {
        records.fill(number, record);
        writer.write(record);
        crc.reset();
        crc.update(record);
        checksum += crc.getValue();
      }
    }
    return checksum;
  }
}
