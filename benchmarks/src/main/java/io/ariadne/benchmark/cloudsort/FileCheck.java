package io.ariadne.benchmark.cloudsort;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;

/** The check of one file of sorted records, record by record. Not thread-safe. */
final class FileCheck {
  private final String file;
  private final SortRecords records;
  private final long count;
  private final RecordNumbers seen;
  private final byte[] expected = new byte[SortRecords.BYTES];
  private final byte[] previous = new byte[SortRecords.BYTES];
  private final CRC32 crc = new CRC32();
  private byte[] firstKey;
  private long rows;
  private long checksum;
  private long duplicateKeys;
  private long faults;
  private String firstFault;

  /**
   * Creates a check.
   *
   * @param file name in messages
   * @param records what the input was computed from
   * @param count number of records of the whole input
   * @param seen numbers of the records of all files
   */
  FileCheck(String file, SortRecords records, long count, RecordNumbers seen) {
    this.file = file;
    this.records = records;
    this.count = count;
    this.seen = seen;
  }

  /** Checks the next record, whose array the caller may reuse. */
  void accept(byte[] record) {
    crc.reset();
    crc.update(record);
    checksum += crc.getValue();
    if (rows == 0) {
      firstKey = Arrays.copyOf(record, SortRecords.KEY_BYTES);
    } else {
      compareWithPrevious(record);
    }
    checkContent(record);
    System.arraycopy(record, 0, previous, 0, SortRecords.KEY_BYTES);
    rows++;
  }

  private void compareWithPrevious(byte[] record) {
    int order = compareKeys(previous, record);
    if (order > 0) {
      fault("its key %s follows %s".formatted(key(record), key(previous)));
    } else if (order == 0) {
      duplicateKeys++;
    }
  }

  private void checkContent(byte[] record) {
    long number = SortRecords.number(record);
    if (number < 0 || number >= count) {
      fault("its payload has no number of a record of the input");
      return;
    }
    records.fill(number, expected);
    int difference = Arrays.mismatch(expected, record);
    if (difference >= 0) {
      fault("byte %d is not that of record %d".formatted(difference, number));
    } else if (!seen.add(number)) {
      fault("it is record %d a second time".formatted(number));
    }
  }

  /** Counts a row that is no record. */
  void defect(String what) {
    fault(what);
    rows++;
  }

  private void fault(String what) {
    faults++;
    if (firstFault == null) {
      firstFault = "%s row %d: %s".formatted(file, rows, what);
    }
  }

  /** Orders keys as unsigned bytes. */
  static int compareKeys(byte[] left, byte[] right) {
    int length = SortRecords.KEY_BYTES;
    return Arrays.compareUnsigned(left, 0, length, right, 0, length);
  }

  /** Returns a key as hexadecimal digits. */
  static String key(byte[] record) {
    return HexFormat.of().formatHex(record, 0, SortRecords.KEY_BYTES);
  }

  /** Returns what was found. */
  CheckedFile result() {
    byte[] lastKey = rows == 0 ? null : Arrays.copyOf(previous, SortRecords.KEY_BYTES);
    return new CheckedFile(
        file, rows, firstKey, lastKey, checksum, duplicateKeys, faults, firstFault);
  }
}
