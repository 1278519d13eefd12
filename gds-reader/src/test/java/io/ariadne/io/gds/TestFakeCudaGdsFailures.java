package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.ReadCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of cuFile, of files, and of the device. */
class TestFakeCudaGdsFailures {
  private static final int LENGTH = 1 << 20;
  private static final int MANY = 12 << 20;

  @TempDir Path folder;

  private DeviceUnderTest device;
  private Path file;
  private byte[] content;

  @BeforeEach
  void open() throws IOException {
    device = DeviceUnderTest.cuda();
    file = folder.resolve("file");
    content = DeviceUnderTest.write(file, MANY);
  }

  @AfterEach
  void close() throws IOException {
    device.close();
    assertEquals(0, DeviceUnderTest.openFiles(folder), "open files");
  }

  private void read(ByteRangeReader reader, int length) throws IOException {
    try (MemoryBuffer target = device.allocate(length)) {
      reader.read(0, target, 0, length);
      device.assertBytes(content, 0, target, 0, length, length + " bytes");
    }
  }

  private IOException failure(ByteRangeReader reader, int length) {
    try (MemoryBuffer target = device.allocate(length)) {
      return assertThrows(IOException.class, () -> reader.read(0, target, 0, length));
    }
  }

  @ParameterizedTest
  @CsvSource({"5, EIO (5)", "116, ESTALE (116)", "77, error number 77"})
  void namesErrorsOfTheSystem(int number, String name) throws IOException {
    try (ByteRangeReader reader = device.open(file)) {
      FakeCuFile.fail("cuFileRead", 1, number);
      IOException e = failure(reader, LENGTH);
      assertTrue(e.getMessage().endsWith(name), e.getMessage());
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
      read(reader, LENGTH); // the next read works
    }
  }

  /** cuFile refuses one read, not the file: the bytes come through the host, the next do not. */
  @ParameterizedTest
  @ValueSource(ints = {5010, 5011, 5012, 5016, 5022, 5030, 5036, 5043, 5047})
  void readsThroughTheHostWhatCuFileRefuses(int error) throws IOException {
    try (ByteRangeReader reader = device.open(file)) {
      FakeCuFile.fail("cuFileRead", 1, error);
      read(reader, LENGTH);
      assertEquals(1, FakeCuFile.calls("cuFileRead"));
      read(reader, LENGTH);
      assertEquals(2, FakeCuFile.calls("cuFileRead"));
    }
  }

  /** cuFile refuses the file system: no file of it is tried again. */
  @ParameterizedTest
  @ValueSource(ints = {5001, 5007, 5008, 5009, 5018, 5020, 5034})
  void remembersThatAFileSystemIsRefused(int error) throws IOException {
    try (ByteRangeReader reader = device.open(file)) {
      FakeCuFile.fail("cuFileRead", 1, error);
      read(reader, LENGTH);
      read(reader, LENGTH);
    }
    try (ByteRangeReader reader = device.open(file)) {
      read(reader, LENGTH);
    }
    assertEquals(1, FakeCuFile.calls("cuFileRead"));
    assertEquals(1, FakeCuFile.calls("cuFileHandleRegister"));
  }

  @ParameterizedTest
  @CsvSource({"5008, 1", "5034, 1", "5031, 2", "5043, 2"})
  void readsThroughTheHostFilesThatAreNotRegistered(int error, int registrations)
      throws IOException {
    for (int i = 0; i < 2; i++) {
      FakeCuFile.fail("cuFileHandleRegister", 1, error);
      try (ByteRangeReader reader = device.open(file)) {
        read(reader, LENGTH);
        read(reader, LENGTH);
      }
    }
    assertEquals(registrations, FakeCuFile.calls("cuFileHandleRegister"));
    assertEquals(0, FakeCuFile.calls("cuFileRead"));
  }

  @Test
  void asksEachFileSystemOnce() throws IOException {
    device.close();
    int[] asked = {0};
    device =
        DeviceUnderTest.cuda(
            DeviceUnderTest.OPTIONS.withFileSystems(
                path -> {
                  asked[0]++;
                  return "tmpfs";
                }));
    for (int i = 0; i < 3; i++) {
      try (ByteRangeReader reader = device.open(file)) {
        read(reader, LENGTH);
        read(reader, LENGTH);
      }
    }
    assertEquals(1, asked[0]);
    assertEquals(0, FakeCuFile.calls("cuFileHandleRegister"));
  }

  @Test
  void asksTheDriverForTheKindOfFileSystem() throws IOException {
    FakeCuFile.set(FakeCuFile.Option.FILE_SYSTEMS, 1 << 2); // NFS alone
    try (ByteRangeReader reader = device.open(file)) {
      read(reader, LENGTH);
    }
    assertEquals(0, FakeCuFile.calls("cuFileRead"));
  }

  @Test
  void shortRangesPassThroughTheHost() throws IOException {
    try (ByteRangeReader reader = device.open(file)) {
      read(reader, (16 << 10) - 1);
      assertEquals(0, FakeCuFile.calls("cuFileHandleRegister"));
      read(reader, 16 << 10);
      assertEquals(1, FakeCuFile.calls("cuFileRead"));
    }
  }

  @Test
  void cuFileGetsAlignedPiecesWhereItCan() throws IOException {
    FakeCuFile.set(FakeCuFile.Option.REFUSE_UNALIGNED, 1);
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH + 4096)) {
      assertEquals(0, target.address() % 4096);
      reader.read(1001, target, 1001, LENGTH - 7);
      device.assertBytes(content, 1001, target, 1001, LENGTH - 7, "congruent");
      assertEquals(0, FakeCuFile.unalignedReads());
      assertTrue(FakeCuFile.unregisteredReads() > 0);
      // Neither position nor address can be aligned: it is refused here, and read all the same.
      reader.read(1001, target, 0, LENGTH);
      device.assertBytes(content, 1001, target, 0, LENGTH, "not congruent");
    }
  }

  /** As the reader of local files does, which has the file open. */
  @Test
  void readsTheFileThatWasOpenedAfterItsNameLeadsElsewhere() throws IOException {
    try (ByteRangeReader reader = device.open(file)) {
      Path other = folder.resolve("other");
      Files.write(other, new byte[MANY]);
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      read(reader, LENGTH);
    }
    Files.write(file, content);
    try (ByteRangeReader reader = device.open(file)) {
      Files.delete(file);
      read(reader, LENGTH);
    }
    assertEquals(0, FakeCuFile.calls("cuFileRead"));
    Files.write(file, content);
    try (ByteRangeReader reader = device.open(file)) {
      read(reader, LENGTH);
      Files.delete(file);
      read(reader, LENGTH);
    }
    assertEquals(2, FakeCuFile.calls("cuFileRead"));
  }

  @Test
  void noticesAFileThatWasWrittenTo() throws IOException {
    try (ByteRangeReader reader = device.open(file)) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_500_000_000_000L));
      assertEquals(
          file + " was written to since it was opened", failure(reader, LENGTH).getMessage());
      Files.write(file, new byte[100]);
      assertEquals(
          file + " has changed from " + MANY + " to 100 bytes since it was opened",
          failure(reader, LENGTH).getMessage());
    }
  }

  @Test
  void countsRequestsAndBytes() throws IOException {
    OpenRequest request = OpenRequest.ofLocal(file);
    ReadCounters counters = request.counters();
    try (ByteRangeReader reader = device.provider().open(request)) {
      read(reader, LENGTH);
      assertEquals(1, counters.requests().sum());
      assertEquals(LENGTH, counters.bytes().sum());
      read(reader, MANY);
      assertEquals(13, counters.requests().sum());
      assertEquals(LENGTH + MANY, counters.bytes().sum());
      assertTrue(counters.nanos().sum() > 0);
    }
  }

  @Test
  void keepsFewFilesRegistered() throws IOException {
    device.close();
    device = DeviceUnderTest.cuda(DeviceUnderTest.OPTIONS.withRegisteredFiles(2));
    ByteRangeReader[] readers = new ByteRangeReader[5];
    for (int i = 0; i < readers.length; i++) {
      Path copy = Files.copy(file, folder.resolve("copy" + i));
      readers[i] = device.open(copy);
      read(readers[i], LENGTH);
      assertTrue(FakeCuFile.openHandles() <= 2);
    }
    read(readers[4], LENGTH);
    read(readers[3], LENGTH);
    assertEquals(5, FakeCuFile.calls("cuFileHandleRegister"), "the latest two are registered");
    read(readers[0], LENGTH);
    assertEquals(6, FakeCuFile.calls("cuFileHandleRegister"));
    read(readers[3], LENGTH);
    assertEquals(6, FakeCuFile.calls("cuFileHandleRegister"));
    for (ByteRangeReader reader : readers) {
      reader.close();
    }
    assertEquals(0, FakeCuFile.openHandles());
  }

  @Test
  void reportsTheLossOfTheDevice() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH)) {
      reader.read(0, target, 0, LENGTH);
      device.backend().clear(target, 0, LENGTH);
      FakeDriver.fail("cuStreamSynchronize", 1, 700);
      EngineException e =
          assertThrows(EngineException.class, () -> reader.read(0, target, 0, LENGTH));
      assertEquals(ErrorCode.DEVICE_LOST, e.code());
      List<ByteRange> ranges = List.of(new ByteRange(0, target, 0, LENGTH));
      assertThrows(EngineException.class, () -> reader.readAll(ranges));
    }
  }
}
