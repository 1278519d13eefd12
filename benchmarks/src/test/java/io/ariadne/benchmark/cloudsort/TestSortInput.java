package io.ariadne.benchmark.cloudsort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSortInput {
  private static final SortRecords RECORDS = new SortRecords(5);
  private static final long COUNT = 1001;

  @TempDir java.nio.file.Path temporary;
  private Path folder;
  private FileSystem store;

  @BeforeEach
  void open() throws IOException {
    folder = new Path(temporary.resolve("input").toUri());
    store = folder.getFileSystem(new Configuration());
  }

  @Test
  void filesHaveAllRecordsInTheOrderOfTheirNumbers() throws IOException {
    input(COUNT).generate(2);
    List<Long> numbers = new ArrayList<>();
    byte[] record = new byte[SortRecords.BYTES];
    for (Path file : files()) {
      try (RecordFileReader reader =
          new RecordFileReader(HadoopInputFile.fromPath(file, store.getConf()))) {
        while (reader.next(record)) {
          numbers.add(SortRecords.number(record));
        }
      }
    }
    assertEquals(8, files().size());
    assertEquals(COUNT, numbers.size());
    for (int i = 0; i < COUNT; i++) {
      assertEquals(i, numbers.get(i));
    }
  }

  /** All but the order of an input is right. */
  @Test
  void checkOfTheUnsortedFilesFindsTheOrderOnly() throws IOException {
    SortInput input = input(COUNT);
    input.generate(2);
    CheckResult result = input.check().check(store, folder, 2);
    assertEquals(COUNT, result.records());
    assertTrue(result.faults() > COUNT / 3);
    result.messages().forEach(m -> assertTrue(m.contains("its key"), m));
  }

  @Test
  void isWrittenOnce() throws IOException {
    assertFalse(input(COUNT).isComplete());
    input(COUNT).generate(2);
    SortInput again = input(COUNT);
    assertTrue(again.isComplete());
    Path first = files().get(0);
    long written = store.getFileStatus(first).getModificationTime();
    again.generate(2);
    assertEquals(written, store.getFileStatus(first).getModificationTime());
  }

  @Test
  void isIncompleteWithoutAFileOrWithOtherRecords() throws IOException {
    input(COUNT).generate(2);
    assertFalse(input(COUNT - 1).isComplete());
    assertFalse(new SortInput(store, folder, new SortRecords(6), COUNT).isComplete());
    store.delete(files().get(3), false);
    assertFalse(input(COUNT).isComplete());
    input(COUNT).generate(2);
    assertTrue(input(COUNT).isComplete());
  }

  private SortInput input(long count) throws IOException {
    return new SortInput(store, folder, RECORDS, count);
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (FileStatus file : store.listStatus(folder)) {
      if (file.getPath().getName().endsWith(".parquet")) {
        files.add(file.getPath());
      }
    }
    files.sort(null);
    return files;
  }
}
