package io.ariadne.rules.exec;

import io.ariadne.backend.Backend;
import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.bridge.vector.AriadneColumnVector;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ExpressionError;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.FilterProjectOperator;
import io.ariadne.operator.project.FilterProjectOperatorFactory;
import io.ariadne.rules.exec.task.SparkErrorReplay;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.ReplayTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InterpretedUnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/** Computes one expression over one batch with Ariadne and with Spark's interpreter. */
final class ExpressionComparison implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final GatherKernel gather;

  /**
   * What became of a comparison.
   *
   * @param isKernel whether a kernel computed something, else the bridge did
   * @param values rows that were compared and not null
   * @param difference what is wrong, null when nothing is
   */
  record Verdict(boolean isKernel, int values, String difference) {}

  ExpressionComparison(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.gather = new GatherKernel(backend, allocator);
  }

  /** Returns how Ariadne would compute an expression. */
  static Conversion convert(ExpressionCase one, ReplayTable replays) {
    ConversionScope scope = ConversionScope.execution(Set.of(), replays, new InputFiles());
    return new ExpressionConverter(one.columns(), scope).convert(one.expression());
  }

  /**
   * Compares.
   *
   * @param one the expression
   * @param batch its columns; closed by this call
   * @return null when Ariadne does not compute such an expression
   */
  Verdict compare(ExpressionCase one, RecordBatch batch) {
    try (batch) {
      ReplayTable replays = new ReplayTable();
      Conversion conversion = convert(one, replays);
      if (conversion.translated().isEmpty()) {
        return null;
      }
      ConversionScope scope = ConversionScope.execution(Set.of(), replays, new InputFiles());
      int origin =
          scope.originOf(List.of(one.expression()), List.of(conversion.tag()), one.columns());
      Answers expected = interpreted(one, rows(batch, one.columns()));
      Attempt attempt = new Attempt(one, conversion, replays, origin);
      String difference = null;
      if (expected.firstError() >= 0) {
        difference = attempt.differenceOfErrors(batch, expected);
      }
      int[] good = expected.good();
      int values = 0;
      if (difference == null && good.length > 0) {
        List<UnsafeRow> actual = attempt.values(select(batch, good));
        difference = difference(one, expected, good, actual, rows(batch, one.columns()));
        values = (int) actual.stream().filter(row -> !row.isNullAt(0)).count();
      }
      return new Verdict(conversion.tag().computesInKernel(), values, difference);
    }
  }

  private static String difference(
      ExpressionCase one,
      Answers expected,
      int[] good,
      List<UnsafeRow> actual,
      List<UnsafeRow> rows) {
    if (actual.size() != good.length) {
      return good.length + " rows in, " + actual.size() + " rows out";
    }
    DataType type = one.expression().dataType();
    for (int i = 0; i < good.length; i++) {
      UnsafeRow wanted = (UnsafeRow) expected.rows().get(good[i]);
      if (!isSame(wanted, actual.get(i), type)
          && !(generated(one, rows.get(good[i])) instanceof UnsafeRow other
              && isSame(other, actual.get(i), type))) {
        return "row %d %s: Spark %s, Ariadne %s"
            .formatted(
                good[i],
                print(rows.get(good[i]), one.columns()),
                print(wanted, type, 0),
                print(actual.get(i), type, 0));
      }
    }
    return null;
  }

  private static boolean isSame(UnsafeRow a, UnsafeRow b, DataType type) {
    if (a.equals(b)) {
      return true;
    }
    if (a.isNullAt(0) || b.isNullAt(0)) {
      return false;
    }
    String text = print(a, type, 0);
    boolean isFloating = type.equals(DataTypes.DoubleType) || type.equals(DataTypes.FloatType);
    // Not a number is the same whatever its bits.
    return (isNested(type) || (isFloating && text.equals("NaN"))) && text.equals(print(b, type, 0));
  }

  private static boolean isNested(DataType type) {
    return type instanceof org.apache.spark.sql.types.ArrayType
        || type instanceof org.apache.spark.sql.types.MapType
        || type instanceof org.apache.spark.sql.types.StructType;
  }

  private static String print(UnsafeRow row, List<AttributeReference> columns) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      values.add(print(row, columns.get(i).dataType(), i));
    }
    return values.toString();
  }

  private static String print(UnsafeRow row, DataType type, int ordinal) {
    return row.isNullAt(ordinal)
        ? "null"
        : String.valueOf(
            org.apache.spark.sql.catalyst.CatalystTypeConverters.convertToScala(
                row.get(ordinal, type), type));
  }

  /** Returns a batch's rows as Spark's own. */
  private static List<UnsafeRow> rows(RecordBatch batch, List<AttributeReference> columns) {
    DataType[] types = columns.stream().map(AttributeReference::dataType).toArray(DataType[]::new);
    return rows(batch, types);
  }

  private static List<UnsafeRow> rows(RecordBatch batch, DataType[] types) {
    org.apache.spark.sql.vectorized.ColumnVector[] vectors =
        new org.apache.spark.sql.vectorized.ColumnVector[types.length];
    for (int i = 0; i < types.length; i++) {
      vectors[i] = AriadneColumnVector.viewOf(batch.column(i), types[i]);
    }
    ColumnarBatchRow row = new ColumnarBatchRow(vectors);
    UnsafeProjection projection = UnsafeProjection.create(types);
    List<UnsafeRow> rows = new ArrayList<>();
    for (int i = 0; i < batch.rowCount(); i++) {
      row.rowId = i;
      rows.add(projection.apply(row).copy());
    }
    return rows;
  }

  /**
   * What Spark computes.
   *
   * @param rows a row of one value, or the exception
   */
  private record Answers(List<Object> rows) {
    int firstError() {
      for (int i = 0; i < rows.size(); i++) {
        if (rows.get(i) instanceof Exception) {
          return i;
        }
      }
      return -1;
    }

    int[] good() {
      return java.util.stream.IntStream.range(0, rows.size())
          .filter(i -> rows.get(i) instanceof UnsafeRow)
          .toArray();
    }
  }

  private static Answers interpreted(ExpressionCase one, List<UnsafeRow> rows) {
    Expression bound = ExpressionBridge.bind(one.expression(), one.columns());
    UnsafeProjection projection =
        InterpretedUnsafeProjection.createProjection(ScalaCollections.seq(List.of(bound)));
    List<Object> answers = new ArrayList<>();
    for (UnsafeRow row : rows) {
      answers.add(answer(projection, row));
    }
    return new Answers(answers);
  }

  private static Object answer(UnsafeProjection projection, UnsafeRow row) {
    try {
      return projection.apply(row).copy();
    } catch (Exception e) {
      return e;
    }
  }

  /** Returns what Spark's generated code answers, which is not always what its interpreter does. */
  private static Object generated(ExpressionCase one, UnsafeRow row) {
    Expression bound = ExpressionBridge.bind(one.expression(), one.columns());
    return answer(
        GenerateUnsafeProjection.generate(ScalaCollections.seq(List.of(bound)), false), row);
  }

  private RecordBatch select(RecordBatch batch, int[] rows) {
    MemoryBuffer numbers = allocator.allocate(PhysicalType.I32.dataLengthInBytes(rows.length));
    try (numbers) {
      for (int i = 0; i < rows.length; i++) {
        numbers.putInt((long) i * Integer.BYTES, rows[i]);
      }
      List<ColumnVector> columns = new ArrayList<>();
      for (int i = 0; i < batch.columnCount(); i++) {
        columns.add(new RowGather(gather, allocator).gather(batch.column(i), numbers, rows.length));
      }
      return new RecordBatch(batch.schema(), rows.length, columns, batch.sequence());
    }
  }

  /** Computes the expression with Ariadne. */
  private final class Attempt {
    private final ExpressionCase one;
    private final FilterProjectOperatorFactory factory;
    private final OperatorContext context;

    Attempt(ExpressionCase one, Conversion conversion, ReplayTable replays, int origin) {
      this.one = one;
      this.context =
          new OperatorContext(allocator, backend, () -> false, new SparkErrorReplay(replays));
      Schema input = ExpressionComparison.schema(one.columns());
      Field result = new Field("r", SparkTypes.fromSpark(one.expression().dataType()), true);
      this.factory =
          new FilterProjectOperatorFactory(
              input,
              null,
              List.of(conversion.expression()),
              new Schema(List.of(result)),
              ExpressionError.NO_ORIGIN,
              origin);
    }

    List<UnsafeRow> values(RecordBatch batch) {
      List<UnsafeRow> values = new ArrayList<>();
      try (FilterProjectOperator operator = factory.create(context)) {
        operator.addInput(batch);
        for (RecordBatch out = operator.getOutput(); out != null; out = operator.getOutput()) {
          try (RecordBatch part = out) {
            values.addAll(rows(part, new DataType[] {one.expression().dataType()}));
          }
        }
      }
      return values;
    }

    String differenceOfErrors(RecordBatch batch, Answers expected) {
      int[] all = java.util.stream.IntStream.range(0, batch.rowCount()).toArray();
      Exception wanted = (Exception) expected.rows().get(expected.firstError());
      if (wanted instanceof ClassCastException) {
        return null; // an expression that Spark's analyzer would not have made
      }
      UnsafeRow row = rows(batch, one.columns()).get(expected.firstError());
      try {
        values(select(batch, all));
      } catch (Exception e) {
        return isSameError(e, wanted) || isSameError(e, generated(one, row))
            ? null
            : "Spark raises " + wanted + ", Ariadne " + e;
      }
      return generated(one, row) instanceof UnsafeRow
          ? null
          : "Spark raises " + wanted + " for " + print(row, one.columns()) + ", Ariadne nothing";
    }
  }

  private static boolean isSameError(Exception raised, Object wanted) {
    return wanted instanceof Exception expected
        && raised.getClass() == expected.getClass()
        && Objects.equals(raised.getMessage(), expected.getMessage());
  }

  static Schema schema(List<AttributeReference> columns) {
    return new Schema(
        columns.stream()
            .map(c -> new Field(c.name(), SparkTypes.fromSpark(c.dataType()), c.nullable()))
            .toList());
  }

  @Override
  public void close() {
    gather.close();
  }
}
