package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the first windows of a large row group's columns are requested together where that is
 * faster.
 */
class TestReadTogether {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int64 a; required int64 b; required int64 c; }");
  private static final int ROWS = 150_000;

  /** Bytes of the tail in which a footer is searched. */
  private static final int TAIL_BYTES = 64 * 1024;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final Random random = new Random(Long.getLong("ariadne.test.seed", 5));
  private final List<List<Object>> rows = new ArrayList<>();
  private Backend backend;
  private TogetherFile file;

  @BeforeEach
  void write() throws IOException {
    backend = HostBackend.open();
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      SimpleGroup group = new SimpleGroup(SCHEMA);
      List<Object> row = List.of(random.nextLong(), random.nextLong(), random.nextLong());
      group.add("a", (Long) row.get(0));
      group.add("b", (Long) row.get(1));
      group.add("c", (Long) row.get(2));
      groups.add(group);
      rows.add(row);
    }
    Path path = folder.resolve("three.parquet");
    WriterOptions options = WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_1_0, false, 10_000);
    ParquetMrFiles.write(path, SCHEMA, groups, options, Map.of());
    file = new TogetherFile(Files.readAllBytes(path));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void readsEveryByteOnce() {
    assertEquals(rows, read(null));
    assertEquals(List.of(3), file.together);
    assertTrue(file.seen.cardinality() > ROWS * 3 * Long.BYTES - TAIL_BYTES);
  }

  @Test
  void doesNotReadColumnsThatMayNotBeNeeded() {
    Expression isPositive =
        new Call(
            Function.GREATER,
            List.of(
                new ColumnReference(0, PrimitiveType.INT64, false),
                new Literal(0L, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            false,
            EvaluationMode.LEGACY,
            ExpressionError.NO_ORIGIN);
    assertEquals(rows.stream().filter(row -> (Long) row.get(0) > 0).toList(), read(isPositive));
    assertEquals(List.of(), file.together);
  }

  @Test
  void failsAsTheFileDoes() {
    file.failure = new IOException("gone in the middle of a sentence");
    ScanException e = assertThrows(ScanException.class, () -> read(null));
    assertEquals("three", e.file());
    assertEquals(file.failure, e.getCause());
  }

  private List<List<Object>> read(Expression predicate) {
    List<ScanColumn> columns =
        List.of("a", "b", "c").stream()
            .map(name -> ScanColumn.ofFile(new Field(name, PrimitiveType.INT64, false)))
            .toList();
    ParquetScanSpec spec = new ParquetScanSpec(columns, predicate, ParquetScanOptions.DEFAULT);
    FileSlice slice = new FileSlice("three", 0, file.lengthInBytes(), List.of());
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    List<List<Object>> read = new ArrayList<>();
    try (SplitSource source =
        ParquetSplitSource.factory(spec, List.of(slice), opened -> file)
            .create(context, name -> new LongAdder())) {
      for (Split split = source.next(); split != null; split = source.next()) {
        try (Split driven = split) {
          add(driven, read);
        }
      }
    }
    return read;
  }

  private static void add(Split split, List<List<Object>> read) {
    for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
      try (RecordBatch current = batch) {
        read.addAll(BatchAssertions.rows(current));
      }
    }
  }

  /** Records which bytes of the columns are read, and how many ranges at once. */
  private static final class TogetherFile implements ByteRangeReader {
    private final MemoryFile content;
    private final long footerStart;
    private final BitSet seen = new BitSet();
    private final List<Integer> together = new ArrayList<>();
    private IOException failure;

    TogetherFile(byte[] content) {
      this.content = new MemoryFile("three", content);
      this.footerStart = (long) content.length - TAIL_BYTES;
    }

    @Override
    public long lengthInBytes() {
      return content.lengthInBytes();
    }

    @Override
    public void read(long position, MemoryBuffer target, long targetOffset, long length)
        throws IOException {
      for (int at = (int) position; at < position + length && at < footerStart; at++) {
        assertTrue(!seen.get(at), "byte " + at + " is read again");
        seen.set(at);
      }
      content.read(position, target, targetOffset, length);
    }

    @Override
    public void readAll(List<ByteRange> ranges) throws IOException {
      if (failure != null) {
        throw failure;
      }
      together.add(ranges.size());
      ByteRangeReader.super.readAll(ranges);
    }

    @Override
    public boolean isFasterTogether() {
      return true;
    }

    @Override
    public void close() {
      content.close();
    }
  }
}
