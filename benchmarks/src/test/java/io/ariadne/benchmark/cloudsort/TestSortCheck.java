package io.ariadne.benchmark.cloudsort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks sorted files in one way each, which the check must find. */
class TestSortCheck {
  private static final int COUNT = 1000;
  private static final SortRecords RECORDS = new SortRecords(11);

  @TempDir java.nio.file.Path temporary;
  private Path folder;
  private FileSystem store;
  private List<byte[]> sorted;

  @BeforeEach
  void sort() throws IOException {
    folder = new Path(temporary.toUri());
    store = folder.getFileSystem(new Configuration());
    sorted = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      byte[] record = new byte[SortRecords.BYTES];
      RECORDS.fill(i, record);
      sorted.add(record);
    }
    sorted.sort(FileCheck::compareKeys);
  }

  @Test
  void rightFilesHaveNoFault() throws IOException {
    CheckResult result = check(sorted.subList(0, 400), List.of(), sorted.subList(400, COUNT));
    assertEquals(List.of(), result.messages());
    assertEquals(0, result.faults());
    assertEquals(COUNT, result.records());
    assertEquals(3, result.files());
    assertEquals(Long.toHexString(sum(sorted)), result.checksum());
    assertEquals(0, result.duplicateKeys());
  }

  @Test
  void findsWrongOrder() throws IOException {
    byte[] first = sorted.get(500);
    sorted.set(500, sorted.get(501));
    sorted.set(501, first);
    CheckResult result = check(sorted.subList(0, 400), sorted.subList(400, COUNT));
    assertEquals(1, result.faults());
    assertFault(result, "part-00001.parquet row 101: its key " + FileCheck.key(first));
  }

  @Test
  void ordersBytesAsUnsigned() throws IOException {
    // As signed bytes, the keys from 80 upwards precede the others.
    sorted.sort(Comparator.comparing(record -> record[0] >= 0));
    assertEquals(1, check(sorted).faults());
  }

  @Test
  void findsFilesInWrongOrder() throws IOException {
    CheckResult result = check(sorted.subList(400, COUNT), sorted.subList(0, 400));
    assertEquals(1, result.faults());
    assertFault(result, "part-00001.parquet row 0: its key");
    assertFault(result, "the last one of part-00000.parquet");
  }

  @Test
  void comparesFilesOnBothSidesOfAnEmptyOne() throws IOException {
    CheckResult result = check(sorted.subList(400, COUNT), List.of(), sorted.subList(0, 400));
    assertEquals(1, result.faults());
    assertFault(result, "part-00002.parquet row 0: its key");
  }

  @Test
  void findsDuplicateRecord() throws IOException {
    sorted.add(300, sorted.get(300));
    CheckResult result = check(sorted);
    long number = SortRecords.number(sorted.get(300));
    assertFault(result, "part-00000.parquet row 301: it is record " + number + " a second time");
    assertFault(result, "1001 records instead of 1000");
    assertFault(result, "the checksum is");
    assertEquals(1, result.duplicateKeys());
  }

  @Test
  void findsDuplicateRecordInAnotherFile() throws IOException {
    CheckResult result = check(sorted.subList(0, 401), sorted.subList(400, COUNT));
    assertFault(result, " a second time");
    assertEquals(1, result.duplicateKeys());
  }

  @Test
  void findsLostRecord() throws IOException {
    byte[] lost = sorted.remove(300);
    CheckResult result = check(sorted);
    assertFault(result, "999 records instead of 1000");
    String record = "record %d with the key %s";
    assertFault(result, record.formatted(SortRecords.number(lost), FileCheck.key(lost)));
  }

  /** The number of records is right, and so are all of them, but two. */
  @Test
  void findsRecordInPlaceOfAnother() throws IOException {
    sorted.set(301, sorted.get(300));
    CheckResult result = check(sorted);
    assertFault(result, "row 301: it is record");
    assertFault(result, "1 records of the input are in no file");
    assertFault(result, "the checksum is");
  }

  @Test
  void findsWrongPayload() throws IOException {
    long number = SortRecords.number(sorted.get(20));
    sorted.get(20)[70] ^= 1;
    CheckResult result = check(sorted);
    assertFault(result, "part-00000.parquet row 20: byte 70 is not that of record " + number);
    assertFault(result, "the checksum is");
  }

  @Test
  void findsPayloadOfAnotherRecord() throws IOException {
    byte[] swapped = sorted.get(20).clone();
    System.arraycopy(sorted.get(21), 10, swapped, 10, 90);
    sorted.set(20, swapped);
    assertFault(check(sorted), "part-00000.parquet row 20: byte ");
  }

  @Test
  void findsNumberBeyondTheInput() throws IOException {
    byte[] other = new byte[SortRecords.BYTES];
    RECORDS.fill(COUNT, other);
    System.arraycopy(other, 10, sorted.get(COUNT - 1), 10, 90);
    assertFault(check(sorted), "row 999: its payload has no number of a record of the input");
  }

  @Test
  void refusesFilesWithoutTheColumns() throws IOException {
    Path other = new Path(folder, "part-00000.parquet");
    try (var stream = store.create(other)) {
      stream.writeUTF("no Parquet");
    }
    SortCheck check = new SortCheck(RECORDS, COUNT, 0);
    IOException error = assertThrows(IOException.class, () -> check.check(store, folder, 2));
    assertTrue(error.getMessage().contains("part-00000.parquet"), error.getMessage());
  }

  private static void assertFault(CheckResult result, String part) {
    assertTrue(result.faults() > 0);
    assertTrue(
        result.messages().stream().anyMatch(m -> m.contains(part)),
        () -> part + " is not in " + result.messages());
  }

  @SafeVarargs
  private CheckResult check(List<byte[]>... files) throws IOException {
    for (int i = 0; i < files.length; i++) {
      Path file = new Path(folder, "part-%05d.parquet".formatted(i));
      try (RecordFileWriter writer =
          new RecordFileWriter(HadoopOutputFile.fromPath(file, store.getConf()), store.getConf())) {
        for (byte[] record : files[i]) {
          writer.write(record);
        }
      }
    }
    long checksum = 0;
    byte[] record = new byte[SortRecords.BYTES];
    for (int i = 0; i < COUNT; i++) {
      RECORDS.fill(i, record);
      checksum += sum(List.of(record));
    }
    return new SortCheck(RECORDS, COUNT, checksum).check(store, folder, 2);
  }

  private static long sum(List<byte[]> records) {
    CRC32 crc = new CRC32();
    long sum = 0;
    for (byte[] record : records) {
      crc.reset();
      crc.update(record);
      sum += crc.getValue();
    }
    return sum;
  }
}
