package io.ariadne.benchmark.cloudsort;

import java.util.List;

/**
 * What the check of a sorted output has found.
 *
 * @param files number of its files
 * @param records rows of all files
 * @param checksum sum of the CRC32 of all records, as hexadecimal digits
 * @param duplicateKeys records with the same key as the record before, in the order of files
 * @param faults number of all faults; 0 when the output is right
 * @param messages the first fault of each file, and those of the output as a whole
 */
public record CheckResult(
    int files,
    long records,
    String checksum,
    long duplicateKeys,
    long faults,
    List<String> messages) {
  /** Copies the list. */
  public CheckResult {
    messages = List.copyOf(messages);
  }

  /** Returns a line for people. */
  public String text() {
    String outcome = faults == 0 ? "in order" : faults + " FAULTS";
    return "%d files, %d records, checksum %s, %d duplicate keys: %s"
        .formatted(files, records, checksum, duplicateKeys, outcome);
  }
}
