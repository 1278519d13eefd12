package io.ariadne.benchmark.cloudsort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopInputFile;

/**
 * Checks sorted files as valsort does: the order of the keys in each file and from file to file,
 * the number of records, the sum of their CRC32, and the number of duplicate keys. Beyond that it
 * computes every record anew from its number, which finds the rows of wrong and duplicate records,
 * and the numbers of lost ones.
 *
 * @param records what the input was computed from
 * @param count number of its records
 * @param checksum sum of the CRC32 of its records
 */
public record SortCheck(SortRecords records, long count, long checksum) {
  private static final String DATA = ".parquet";

  /**
   * Checks the files of a folder, in the order of their names, which is that of Spark's partitions.
   *
   * @param threads files that are read at the same time
   * @throws IOException when a file cannot be read
   */
  public CheckResult check(FileSystem store, Path folder, int threads) throws IOException {
    List<FileStatus> files =
        Arrays.stream(store.listStatus(folder))
            .filter(file -> file.getPath().getName().endsWith(DATA))
            .sorted(Comparator.comparing(file -> file.getPath().getName()))
            .toList();
    RecordNumbers seen = new RecordNumbers(count);
    List<Callable<CheckedFile>> checks = new ArrayList<>();
    for (FileStatus file : files) {
      checks.add(() -> read(store.getConf(), file, seen));
    }
    return result(Parallel.run("check of " + folder, threads, checks), seen);
  }

  private CheckedFile read(Configuration configuration, FileStatus file, RecordNumbers seen)
      throws IOException {
    FileCheck check = new FileCheck(file.getPath().getName(), records, count, seen);
    byte[] record = new byte[SortRecords.BYTES];
    try (RecordFileReader reader =
        new RecordFileReader(HadoopInputFile.fromStatus(file, configuration))) {
      while (reader.next(record)) {
        if (reader.defect() == null) {
          check.accept(record);
        } else {
          check.defect(reader.defect());
        }
      }
    }
    return check.result();
  }

  private CheckResult result(List<CheckedFile> files, RecordNumbers seen) {
    List<String> messages = new ArrayList<>();
    long rows = 0;
    long sum = 0;
    long duplicateKeys = 0;
    long faults = 0;
    CheckedFile before = null;
    for (CheckedFile file : files) {
      rows += file.rows();
      sum += file.checksum();
      duplicateKeys += file.duplicateKeys();
      faults += file.faults();
      if (file.faults() > 0) {
        messages.add(file.firstFault());
      }
      if (file.firstKey() == null) {
        continue;
      }
      int order = before == null ? -1 : FileCheck.compareKeys(before.lastKey(), file.firstKey());
      duplicateKeys += order == 0 ? 1 : 0;
      if (order > 0) {
        faults++;
        messages.add(wrongBoundary(before, file));
      }
      before = file;
    }
    List<String> whole = faultsOfAll(rows, sum, seen);
    messages.addAll(whole);
    return new CheckResult(
        files.size(), rows, Long.toHexString(sum), duplicateKeys, faults + whole.size(), messages);
  }

  private static String wrongBoundary(CheckedFile before, CheckedFile file) {
    return "%s row 0: its key %s follows %s, the last one of %s"
        .formatted(
            file.name(),
            FileCheck.key(file.firstKey()),
            FileCheck.key(before.lastKey()),
            before.name());
  }

  private List<String> faultsOfAll(long rows, long sum, RecordNumbers seen) {
    List<String> faults = new ArrayList<>();
    if (rows != count) {
      faults.add("%d records instead of %d".formatted(rows, count));
    }
    long lost = seen.missing();
    if (lost > 0) {
      byte[] record = new byte[SortRecords.BYTES];
      records.fill(seen.firstMissing(), record);
      faults.add(
          "%d records of the input are in no file; the first one is record %d with the key %s"
              .formatted(lost, seen.firstMissing(), FileCheck.key(record)));
    }
    if (sum != checksum) {
      faults.add(
          "the checksum is %s instead of %s"
              .formatted(Long.toHexString(sum), Long.toHexString(checksum)));
    }
    return faults;
  }
}
