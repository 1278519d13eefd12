package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
 * Tests divided row groups with columns that are easily confused, {@code a.b} and the member b of
 * a, each with a dictionary, and with struct members that the file does not have.
 */
class TestDividedColumns {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message m {
            required int32 id;
            optional binary a.b (STRING);
            optional group a {
              optional binary b (STRING);
              optional int64 c;
            }
            optional group old {
              optional group inner {
                optional int32 x;
              }
            }
          }
          """);
  private static final Field DOTTED = new Field("a.b", PrimitiveType.STRING, true);
  private static final Field STRUCT =
      struct(
          "a",
          new Field("b", PrimitiveType.STRING, true),
          new Field("new", PrimitiveType.FLOAT64, true),
          new Field("c", PrimitiveType.INT64, true));
  private static final Field OLD =
      struct(
          "old",
          new Field("gone", PrimitiveType.STRING, true),
          struct("inner", new Field("y", PrimitiveType.INT32, true)));
  private static final Field NEVER = struct("never", new Field("z", PrimitiveType.INT32, true));
  private static final List<Field> FIELDS =
      List.of(new Field("id", PrimitiveType.INT32, false), STRUCT, DOTTED, OLD, NEVER);
  private static final int ROWS = 20_000;
  private static final int PAGE_ROWS = 500;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<List<Object>> rows = new ArrayList<>();
  private Backend backend;
  private Path file;

  private static Field struct(String name, Field... members) {
    return new Field(name, new StructType(List.of(members)), true);
  }

  @BeforeEach
  void write() throws IOException {
    backend = HostBackend.open();
    file = folder.resolve("alike.parquet");
    List<Group> groups = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      groups.add(row(id));
    }
    WriterOptions options =
        WriterOptions.PLAIN
            .withPages(WriterVersion.PARQUET_1_0, true, PAGE_ROWS)
            .withExtras(false, true, false, false);
    ParquetMrFiles.write(file, SCHEMA, groups, options, Map.of());
    assertEquals(1, ParquetMrFiles.footer(file).getBlocks().size());
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private Group row(int id) {
    SimpleGroup group = new SimpleGroup(SCHEMA);
    group.add("id", id);
    String dotted = random.nextInt(9) == 0 ? null : "dotted " + id / 1000;
    if (dotted != null) {
      group.add("a.b", dotted);
    }
    List<Object> struct = random.nextInt(7) == 0 ? null : struct(id, group.addGroup("a"));
    List<Object> old = null;
    if (random.nextInt(5) != 0) {
      Group written = group.addGroup("old");
      boolean hasInner = random.nextInt(3) != 0;
      if (hasInner) {
        Group inner = written.addGroup("inner");
        if (random.nextBoolean()) {
          inner.add("x", id);
        }
      }
      old = Arrays.asList(null, hasInner ? Arrays.asList((Object) null) : null);
    }
    rows.add(Arrays.asList(id, struct, dotted, old, null));
    return group;
  }

  private List<Object> struct(int id, Group group) {
    String member = random.nextInt(4) == 0 ? null : "member " + random.nextInt(30);
    Long number = random.nextInt(4) == 0 ? null : (Long) (long) id;
    if (member != null) {
      group.add("b", member);
    }
    if (number != null) {
      group.add("c", number);
    }
    return Arrays.asList(member, null, number);
  }

  @Test
  void partsTogetherAreTheRowGroup() {
    for (List<Integer> columns :
        List.of(List.of(0, 1, 2, 3, 4), List.of(2, 1), List.of(1), List.of(3, 0), List.of(2, 4))) {
      check(columns, null, rows);
    }
  }

  @Test
  void appliesAPredicateToTheDottedColumn() {
    for (String least : List.of("dotted 1", "dotted 17", "dotted 9", "member 1", "z")) {
      Expression predicate =
          new Call(
              Function.GREATER_OR_EQUAL,
              List.of(
                  new ColumnReference(0, PrimitiveType.STRING, true),
                  new Literal(least.getBytes(StandardCharsets.UTF_8), PrimitiveType.STRING)),
              PrimitiveType.BOOLEAN,
              true,
              EvaluationMode.LEGACY,
              ExpressionError.NO_ORIGIN);
      List<List<Object>> expected =
          rows.stream()
              .filter(row -> row.get(2) != null && ((String) row.get(2)).compareTo(least) >= 0)
              .toList();
      check(List.of(2, 1, 0, 3), predicate, expected);
    }
  }

  /** Compares the rows of the parts, and those of the undivided row group. */
  private void check(List<Integer> columns, Expression predicate, List<List<Object>> all) {
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : all) {
      List<Object> wanted = new ArrayList<>();
      columns.forEach(column -> wanted.add(row.get(column)));
      expected.add(wanted);
    }
    String text = "columns " + columns + ", seed " + seed;
    assertEquals(expected, read(columns, predicate, Long.MAX_VALUE, 1), text);
    assertEquals(expected, read(columns, predicate, 1, predicate == null ? 2 : 0), text);
  }

  private List<List<Object>> read(
      List<Integer> columns, Expression predicate, long partBytes, int leastParts) {
    ParquetScanSpec spec =
        new ParquetScanSpec(
            columns.stream().map(column -> ScanColumn.ofFile(FIELDS.get(column))).toList(),
            predicate,
            ParquetScanOptions.DEFAULT.withBatchRows(1024).withPartBytes(partBytes));
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    List<List<Object>> read = new ArrayList<>();
    int parts = 0;
    try (SplitSource source =
        ParquetSplitSource.factory(
                spec, List.of(ScanRun.whole(file)), slice -> LocalFileReader.open(file))
            .create(context, name -> new LongAdder())) {
      for (Split split = source.next(); split != null; split = source.next()) {
        parts++;
        try (Split driven = split) {
          for (RecordBatch batch = driven.next(); batch != null; batch = driven.next()) {
            try (RecordBatch current = batch) {
              read.addAll(BatchAssertions.rows(current));
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertTrue(parts >= (predicate == null ? leastParts : 0), parts + " parts");
    return read;
  }
}
