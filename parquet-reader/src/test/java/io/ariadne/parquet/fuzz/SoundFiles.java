package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.type.Field;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The intact files that are damaged: the same ones in every run. */
final class SoundFiles {
  private static final String WRITTEN_PREFIX = "sound-";
  private static final int WRITTEN = 48;
  private static final int MAX_ROWS = 90;
  private static final int MAX_TESTING_BYTES = 64 << 10;

  /** Columns whose random values are out of their type's range. */
  private static final Set<String> OVERFLOWING = Set.of("ts_millis", "decimal_bytes");

  private static final CompressionCodecName[] CODECS = {
    CompressionCodecName.UNCOMPRESSED,
    CompressionCodecName.SNAPPY,
    CompressionCodecName.UNCOMPRESSED,
    CompressionCodecName.ZSTD,
    CompressionCodecName.UNCOMPRESSED,
    CompressionCodecName.GZIP,
    CompressionCodecName.UNCOMPRESSED,
    CompressionCodecName.LZ4_RAW
  };

  private final FuzzScan scan;
  private final GuardedAllocator memory;
  private final List<SoundFile> files = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();

  /**
   * Writes and reads the files.
   *
   * @param folder for the files
   * @param testing the folder of apache/parquet-testing, null for none
   */
  SoundFiles(FuzzScan scan, GuardedAllocator memory, Path folder, Path testing) throws IOException {
    this.scan = scan;
    this.memory = memory;
    for (int i = 0; i < WRITTEN; i++) {
      Path file = folder.resolve(WRITTEN_PREFIX + i + ".parquet");
      write(i, file);
      add(file);
    }
    if (testing != null) {
      try (Stream<Path> all = Files.list(testing)) {
        for (Path file : all.filter(f -> f.toString().endsWith(".parquet")).sorted().toList()) {
          addTesting(file);
        }
      }
    }
  }

  List<SoundFile> files() {
    return files;
  }

  /** Returns the columns that cannot be read, and why. */
  List<String> leftOut() {
    return leftOut;
  }

  private static void write(int number, Path file) throws IOException {
    Random random = new Random(number);
    boolean isNested = number % 4 == 3;
    MessageType schema = isNested ? TestSchemas.NESTED : part(TestSchemas.FLAT, random);
    WriterVersion version = number % 2 == 0 ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0;
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(CODECS[number / 2 % CODECS.length])
            .withPages(version, random.nextBoolean(), 1 + random.nextInt(60))
            .withRowGroupBytes(random.nextInt(4) == 0 ? 2_000 : 1 << 30)
            .withExtras(
                random.nextInt(4) == 0,
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean());
    double nulls = new double[] {0, 0.1, 0.5, 1}[random.nextInt(4)];
    int distinct = random.nextBoolean() ? 4 : 100;
    int rows = 1 + random.nextInt(isNested ? MAX_ROWS / 3 : MAX_ROWS);
    RandomGroups groups = new RandomGroups(random, distinct, nulls);
    ParquetMrFiles.write(file, schema, groups.rows(schema, rows), options, Map.of());
  }

  private static MessageType part(MessageType schema, Random random) {
    List<Type> fields = new ArrayList<>(schema.getFields());
    fields.removeIf(field -> OVERFLOWING.contains(field.getName()));
    Collections.shuffle(fields, random);
    return new MessageType(schema.getName(), fields.subList(0, 3 + random.nextInt(5)));
  }

  private void addTesting(Path file) throws IOException {
    if (Files.size(file) > MAX_TESTING_BYTES) {
      return;
    }
    try {
      add(file);
    } catch (IOException | RuntimeException e) { // parquet-mr cannot read all of them either
      leftOut.add(file.getFileName() + ": " + e);
    }
  }

  private void add(Path file) throws IOException {
    SoundFile sound = read(file, scan, memory, leftOut);
    if (sound.name().startsWith(WRITTEN_PREFIX) && !sound.misjudged().isEmpty()) {
      throw new IllegalStateException("rows are missing: " + sound.misjudged() + " " + file);
    }
    if (!sound.fields().isEmpty()) {
      files.add(sound);
    }
  }

  /**
   * Reads a file, except columns that the reader has reported as unreadable.
   *
   * @param leftOut receives those columns, and why
   */
  static SoundFile read(Path file, FuzzScan scan, GuardedAllocator memory, List<String> leftOut)
      throws IOException {
    String name = file.getFileName().toString();
    byte[] bytes = Files.readAllBytes(file);
    MessageType schema = ParquetMrFiles.footer(file).getFileMetaData().getSchema();
    List<Field> readable = new ArrayList<>();
    for (Field field : ReadTypes.of(schema)) {
      try {
        if (scan.read(name, bytes, List.of(field), null).isWhole()) {
          readable.add(field);
        }
      } catch (EngineException e) {
        boolean isWritten = name.startsWith(WRITTEN_PREFIX);
        if (isWritten && e.code() != ErrorCode.UNSUPPORTED && e.code() != ErrorCode.USER) {
          throw new IllegalStateException("a sound file cannot be read: " + field, e);
        }
        leftOut.add(name + " " + field.name() + ": " + e.getMessage());
      }
    }
    return SoundFile.of(name, bytes, readable, scan, memory);
  }
}
