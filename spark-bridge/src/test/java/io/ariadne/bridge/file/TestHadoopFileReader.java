package io.ariadne.bridge.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.io.ByteRange;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TestHadoopFileReader {
  private static final int FILE_BYTES = 300_001;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @TempDir java.nio.file.Path folder;

  private byte[] content;
  private Path path;
  private FileSystem files;

  @BeforeEach
  void writeFile() throws IOException {
    content = new byte[FILE_BYTES];
    new Random(7).nextBytes(content);
    java.nio.file.Path file = folder.resolve("some data");
    Files.write(file, content);
    path = new Path(file.toUri());
    files = path.getFileSystem(new Configuration());
  }

  @Test
  void readsRangesAcrossChunks() throws IOException {
    try (HadoopFileReader reader = HadoopFileReader.open(files, path);
        MemoryBuffer target = memory.allocator().allocate(FILE_BYTES)) {
      assertEquals(FILE_BYTES, reader.lengthInBytes());
      reader.read(0, target, 0, FILE_BYTES);
      assertSame(target, 0, 0, FILE_BYTES);
      reader.read(17, target, 5, 140_000);
      assertSame(target, 17, 5, 140_000);
      reader.read(FILE_BYTES, target, 0, 0);
    }
  }

  private List<FileSystem> localFileSystems() throws IOException {
    LocalFileSystem checksummed = FileSystem.getLocal(new Configuration());
    return List.of(files, checksummed, checksummed.getRawFileSystem());
  }

  /** Writes a file with checksums beside it. */
  private Path checksummed() throws IOException {
    Path summed = new Path(path.getParent(), "summed");
    try (FSDataOutputStream out = FileSystem.getLocal(new Configuration()).create(summed)) {
      out.write(content);
    }
    return summed;
  }

  @Test
  void readsSeveralRangesAtOnce() throws IOException {
    Path summed = checksummed();
    for (FileSystem local : localFileSystems()) {
      try (HadoopFileReader reader = HadoopFileReader.open(local, summed);
          MemoryBuffer target = memory.allocator().allocate(2L * FILE_BYTES)) {
        assertEquals(VectoredLine.of(local.open(summed)) != null, reader.isFasterTogether());
        reader.readAll(
            List.of(
                new ByteRange(250_000, target, 0, 50_001),
                new ByteRange(17, target, 60_000, 1),
                new ByteRange(511, target, 70_000, 0),
                new ByteRange(511, target, 80_000, 130_000),
                new ByteRange(513, target, 220_000, 1000)));
        assertSame(target, 250_000, 0, 50_001);
        assertSame(target, 17, 60_000, 1);
        assertSame(target, 511, 80_000, 130_000);
        assertSame(target, 513, 220_000, 1000);
        reader.readAll(List.of(new ByteRange(5, target, 0, 5)));
        assertSame(target, 5, 0, 5);
        reader.readAll(List.of());
      }
    }
  }

  @Test
  void rejectsAnyRangeOutsideTheFileBeforeReading() throws IOException {
    try (HadoopFileReader reader = HadoopFileReader.open(files, path);
        MemoryBuffer target = memory.allocator().allocate(1000)) {
      target.fillZero();
      List<ByteRange> ranges =
          List.of(new ByteRange(0, target, 0, 10), new ByteRange(FILE_BYTES - 1, target, 20, 2));
      assertThrows(EOFException.class, () -> reader.readAll(ranges));
      assertEquals(0, target.getLong(0));
    }
  }

  @Test
  void continuesAfterDamageInOneOfSeveralRanges() throws IOException {
    Path summed = checksummed();
    content[200_000] ^= 1;
    Files.write(folder.resolve("summed"), content);
    LocalFileSystem local = FileSystem.getLocal(new Configuration());
    try (HadoopFileReader reader = HadoopFileReader.open(local, summed);
        MemoryBuffer target = memory.allocator().allocate(1000)) {
      ByteRange sound = new ByteRange(0, target, 0, 100);
      ByteRange damaged = new ByteRange(199_900, target, 100, 200);
      assertThrows(ChecksumException.class, () -> reader.readAll(List.of(sound, damaged)));
      ByteRange other = new ByteRange(100_000, target, 100, 200);
      reader.readAll(List.of(sound, other));
      assertSame(target, 0, 0, 100);
      assertSame(target, 100_000, 100, 200);
    }
  }

  @Test
  void truncatedFileFailsSeveralRanges() throws IOException {
    for (FileSystem local : localFileSystems()) {
      try (HadoopFileReader reader = HadoopFileReader.open(local, path);
          MemoryBuffer target = memory.allocator().allocate(1000)) {
        Files.write(folder.resolve("some data"), new byte[1000]);
        ByteRange here = new ByteRange(0, target, 0, 100);
        ByteRange gone = new ByteRange(250_000, target, 100, 200);
        assertThrows(IOException.class, () -> reader.readAll(List.of(here, gone)));
      }
      Files.write(folder.resolve("some data"), content);
    }
  }

  @Test
  void rejectsRangesOutsideTheFileAndTheTarget() throws IOException {
    try (HadoopFileReader reader = HadoopFileReader.open(files, path);
        MemoryBuffer target = memory.allocator().allocate(1000)) {
      assertThrows(EOFException.class, () -> reader.read(FILE_BYTES - 1, target, 0, 2));
      assertThrows(EOFException.class, () -> reader.read(Long.MAX_VALUE, target, 0, 2));
      assertThrows(EOFException.class, () -> reader.read(-1, target, 0, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> reader.read(0, target, 0, FILE_BYTES));
    }
  }

  @Test
  void describesTheFileAsOpened() throws IOException {
    java.nio.file.Path file = folder.resolve("some data");
    Files.write(file, new byte[FILE_BYTES + 3]);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_500_000_000_000L));
    try (HadoopFileReader reader = HadoopFileReader.open(files, path)) {
      assertEquals(FILE_BYTES + 3, reader.lengthInBytes());
      assertEquals(1_500_000_000_000L, reader.modificationTimeMillis());
    }
  }

  @Test
  void namesAMissingFile() {
    Path missing = new Path(path.getParent(), "missing");
    FileNotFoundException failure =
        assertThrows(FileNotFoundException.class, () -> HadoopFileReader.open(files, missing));
    assertEquals(true, failure.getMessage().contains("missing"));
  }

  @Test
  void reportsRefusedFiles() throws IOException {
    IOException denied = new AccessControlException("not you");
    IOException lost = new BlockMissingException(path.toString(), "no replica", 0);
    for (IOException refusal : List.of(denied, lost)) {
      FileSystem refusing = new RefusingFiles(refusal);
      FileSystemException atOpen =
          assertThrows(FileSystemException.class, () -> HadoopFileReader.open(refusing, path));
      assertEquals(refusal == denied, atOpen instanceof AccessDeniedException);
      assertEquals(path.toString(), atOpen.getFile());
      assertEquals(refusal, atOpen.getCause());
    }
  }

  @Test
  void reportsRefusedRanges() throws IOException {
    IOException lost = new BlockMissingException(path.toString(), "no replica", 0);
    RefusingFiles refusing = new RefusingFiles(lost);
    refusing.opensFirst = true;
    try (HadoopFileReader reader = HadoopFileReader.open(refusing, path);
        MemoryBuffer target = memory.allocator().allocate(10)) {
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> reader.read(0, target, 0, 10));
      assertEquals(lost, e.getCause());
    }
  }

  /** Lists files, but refuses to open or read them. */
  private static final class RefusingFiles extends RawLocalFileSystem {
    private final IOException refusal;
    private boolean opensFirst;

    RefusingFiles(IOException refusal) throws IOException {
      this.refusal = refusal;
      initialize(URI.create("file:///"), new Configuration());
    }

    @Override
    public FSDataInputStream open(Path file, int bufferBytes) throws IOException {
      if (!opensFirst) {
        throw refusal;
      }
      return new FSDataInputStream(new RefusingStream(refusal));
    }
  }

  /** Refuses all reads. */
  private static final class RefusingStream extends FSInputStream {
    private final IOException refusal;

    RefusingStream(IOException refusal) {
      this.refusal = refusal;
    }

    @Override
    public int read() throws IOException {
      throw refusal;
    }

    @Override
    public void seek(long position) {}

    @Override
    public long getPos() {
      return 0;
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }
  }

  @Test
  void failsAfterClose() throws IOException {
    HadoopFileReader reader = HadoopFileReader.open(files, path);
    reader.close();
    reader.close();
    try (MemoryBuffer target = memory.allocator().allocate(10)) {
      assertThrows(IOException.class, () -> reader.read(0, target, 0, 10));
    }
  }

  private void assertSame(MemoryBuffer target, int position, int offset, int length) {
    byte[] read = new byte[length];
    target.getBytes(offset, read, 0, length);
    for (int i = 0; i < length; i++) {
      assertEquals(content[position + i], read[i], "byte " + i);
    }
  }
}
