package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.testing.LimitedAllocator;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Scans files with flipped, missing, added and moved bytes: errors must name the file. */
class TestDamagedFiles {
  private static final int FILES = Integer.getInteger("ariadne.parquet.damaged.files", 12);
  private static final int DAMAGES = Integer.getInteger("ariadne.parquet.damages", 60);
  private static final long LIMIT_BYTES = 256 << 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Backend backend;

  @BeforeEach
  void open() {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    backend = HostBackend.open();
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void damagedFilesRaiseErrorsThatNameThem() throws IOException {
    int errors = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] whole = file(options());
      for (int j = 0; j < DAMAGES; j++) {
        errors += read(damaged(whole), "file " + i + " damage " + j + " seed " + seed) ? 0 : 1;
      }
    }
    assertTrue(errors > FILES * DAMAGES / 10, errors + " errors");
  }

  @Test
  void ignoresDamagedFilesIfRequested() throws IOException {
    byte[] whole = file(WriterOptions.PLAIN);
    Path damaged = folder.resolve("damaged.parquet");
    Files.write(damaged, Arrays.copyOf(whole, whole.length - 1));
    Path sound = folder.resolve("sound.parquet");
    Files.write(sound, whole);
    List<FileSlice> slices =
        List.of(ScanRun.whole(damaged), ScanRun.whole(sound), missing("gone.parquet"));
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    ParquetScanOptions options = TestScanErrors.options(true, true);
    List<List<Object>> expected =
        new ScanRun(context).rows(spec(ParquetScanOptions.DEFAULT), slices.subList(1, 2));
    assertEquals(expected, new ScanRun(context).rows(spec(options), slices));
  }

  private FileSlice missing(String name) {
    return new FileSlice(folder.resolve(name).toString(), 0, 100, List.of());
  }

  private static ParquetScanSpec spec(ParquetScanOptions options) {
    List<ScanColumn> columns =
        ExpectedColumns.all().stream().map((Field field) -> ScanColumn.ofFile(field)).toList();
    return new ParquetScanSpec(columns, null, options);
  }

  private WriterOptions options() {
    CompressionCodecName[] codecs = {
      CompressionCodecName.UNCOMPRESSED,
      CompressionCodecName.UNCOMPRESSED,
      CompressionCodecName.SNAPPY,
      CompressionCodecName.ZSTD,
      CompressionCodecName.GZIP,
      CompressionCodecName.LZ4_RAW
    };
    WriterVersion version =
        random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0;
    return WriterOptions.PLAIN
        .withCodec(codecs[random.nextInt(codecs.length)])
        .withPages(version, random.nextBoolean(), 1 + random.nextInt(100));
  }

  private byte[] file(WriterOptions options) throws IOException {
    List<Group> rows =
        new RandomGroups(random, 1 + random.nextInt(50), 0.2)
            .rows(TestSchemas.FLAT, random.nextInt(200));
    Path file = folder.resolve("whole.parquet");
    ParquetMrFiles.write(file, TestSchemas.FLAT, rows, options, Map.of());
    return Files.readAllBytes(file);
  }

  private byte[] damaged(byte[] whole) {
    int at = random.nextInt(whole.length);
    int count = 1 + random.nextInt(8);
    return switch (random.nextInt(8)) {
      case 0 -> Arrays.copyOf(whole, at);
      case 1 -> spliced(whole, at, count, 0);
      case 2 -> spliced(whole, at, 0, count);
      case 3 -> spliced(whole, at, random.nextInt(whole.length - at), random.nextInt(100));
      default -> {
        byte[] flipped = whole.clone();
        for (int i = 0; i < count; i++) {
          flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
        }
        yield flipped;
      }
    };
  }

  /** Replaces bytes by others of the same file. */
  private byte[] spliced(byte[] whole, int at, int removed, int added) {
    int gone = Math.min(removed, whole.length - at);
    byte[] bytes = new byte[whole.length - gone + added];
    System.arraycopy(whole, 0, bytes, 0, at);
    for (int i = 0; i < added; i++) {
      bytes[at + i] = whole[random.nextInt(whole.length)];
    }
    System.arraycopy(whole, at + gone, bytes, at + added, whole.length - at - gone);
    return bytes;
  }

  /** Returns whether the file could be read. */
  private boolean read(byte[] bytes, String what) throws IOException {
    Path file = folder.resolve("damaged.parquet");
    Files.write(file, bytes);
    OperatorContext context =
        new OperatorContext(
            new LimitedAllocator(memory.allocator(), LIMIT_BYTES), backend, () -> false);
    ParquetScanOptions options = ParquetScanOptions.DEFAULT.withBatchRows(64);
    List<List<Object>> rows = new ArrayList<>();
    try {
      rows.addAll(new ScanRun(context).rows(spec(options), List.of(ScanRun.whole(file))));
      return true;
    } catch (ScanException e) {
      assertTrue(e.getMessage().contains(file.toString()), what + ": " + e.getMessage());
    } catch (EngineException e) {
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), what + ": " + e);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what, e);
    }
    return false;
  }
}
