package io.ariadne.operator.project;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.aggregate.HashAggregateOperatorFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Compares operators over dictionary columns, over the same columns decoded first, and over plain
 * columns: nanoseconds per row. Run as a main class.
 */
public final class BenchmarkDictionaryColumns {
  private static final int ROWS = 1 << 16;
  private static final int ROUNDS = 60;
  private static final int RUNS = 7;
  private static final DecimalType MONEY = new DecimalType(12, 2);
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.DATE32,
              PrimitiveType.STRING,
              PrimitiveType.STRING,
              MONEY,
              PrimitiveType.INT64,
              PrimitiveType.BOOLEAN));
  private static final int[] ENTRIES = {2_500, 3, 2, 11, 50, 2_500};

  private final MemoryPool allocator = MemoryPools.host("benchmark", 4L << 30, false);
  private final Backend backend = HostBackend.open();
  private final OperatorContext context = new OperatorContext(allocator, backend, () -> false);
  private final RandomBatches random = new RandomBatches(5);

  private BenchmarkDictionaryColumns() {}

  /** Prints one line per case. */
  public static void main(String[] arguments) {
    BenchmarkDictionaryColumns benchmark = new BenchmarkDictionaryColumns();
    System.out.println("case\tcoded\tdecoded first\tplain");
    benchmark.all();
    benchmark.backend.close();
  }

  private void all() {
    Expression date = column(0);
    Expression before =
        call(Function.LESS, PrimitiveType.BOOLEAN, date, new Literal(10_000, PrimitiveType.DATE32));
    Expression year =
        call(
            Function.EQUAL,
            PrimitiveType.BOOLEAN,
            call(Function.YEAR, PrimitiveType.INT32, date),
            new Literal(1995, PrimitiveType.INT32));
    filter("filter date < d, keep 5 columns", before, 0, 1, 2, 3, 4);
    filter("filter date < d, keep date", before, 0);
    filter("filter date < d, keep money", before, 3);
    filter("filter year(date) = y, keep money", year, 3);
    filter("filter flag, keep money", column(5), 3);
    aggregate("sum(money) where date < d", before, List.of());
    aggregate("sum(money) by s1", null, List.of(column(1)));
    aggregate("sum(money) by s1, s2", null, List.of(column(1), column(2)));
    aggregate("sum(money) by date", null, List.of(date));
    aggregate("sum(money) by s1, s2 where date < d", before, List.of(column(1), column(2)));
  }

  private void filter(String name, Expression condition, int... kept) {
    List<Expression> projections = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (int index : kept) {
      projections.add(column(index));
      fields.add(SCHEMA.field(index));
    }
    FilterProjectOperatorFactory factory =
        new FilterProjectOperatorFactory(SCHEMA, condition, projections, new Schema(fields));
    try (FilterProjectOperator operator = factory.create(context)) {
      projections.add(condition);
      measure(
          name,
          projections,
          batch -> {
            operator.addInput(batch);
            RecordBatch output = operator.getOutput();
            if (output != null) {
              output.close();
            }
          });
    }
  }

  private void aggregate(String name, Expression condition, List<Expression> keys) {
    DataType sum = new DecimalType(22, 2);
    List<Field> buffers =
        List.of(new Field("sum", sum, true), new Field("empty", PrimitiveType.BOOLEAN, true));
    AggregateCall call =
        new AggregateCall(
            AggregateFunction.SUM,
            List.of(column(3)),
            null,
            buffers,
            AggregateCall.UPDATES,
            sum,
            EvaluationMode.LEGACY);
    List<Field> fields = new ArrayList<>();
    keys.forEach(key -> fields.add(new Field("key", key.type(), true)));
    fields.addAll(buffers);
    SinkOperatorFactory factory =
        new HashAggregateOperatorFactory(
            false, SCHEMA, condition, keys, List.of(call), new Schema(fields));
    try (SinkOperator sink = factory.create(context);
        SinkState local = sink.newLocal()) {
      List<Expression> reads = new ArrayList<>(keys);
      reads.add(column(3));
      if (condition != null) {
        reads.add(condition);
      }
      measure(name, reads, local::addInput);
    }
  }

  private void measure(String name, List<Expression> reads, Consumer<RecordBatch> operator) {
    BitSet used = new BitSet();
    reads.forEach(expression -> TileProgramCompiler.addColumns(expression, used));
    RecordBatch coded = coded();
    DictionaryDecoder decoder = new DictionaryDecoder(allocator);
    RecordBatch plain = decoder.decode(new RowRange(0, ROWS).copyOf(coded, allocator, 0));
    double codedNanos = nanos(coded, batch -> batch, operator);
    double decodedNanos = nanos(coded, batch -> decoded(batch, decoder, used), operator);
    double plainNanos = nanos(plain, batch -> batch, operator);
    System.out.printf("%s\t%.2f\t%.2f\t%.2f%n", name, codedNanos, decodedNanos, plainNanos);
    coded.close();
    plain.close();
  }

  /** Decodes the columns that the operator uses. */
  private static RecordBatch decoded(RecordBatch batch, DictionaryDecoder decoder, BitSet used) {
    List<ColumnVector> columns = new ArrayList<>();
    try (batch) {
      for (int i = 0; i < batch.columnCount(); i++) {
        columns.add(used.get(i) ? decoder.decode(batch.column(i)) : batch.takeColumn(i));
      }
      return new RecordBatch(batch.schema(), batch.rowCount(), columns, batch.sequence());
    }
  }

  private RecordBatch coded() {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < SCHEMA.columnCount(); i++) {
      DataType type = SCHEMA.field(i).type();
      columns.add(
          random.dictionaryColumn(
              type, type.defaultPhysicalType(), ROWS, ENTRIES[i], NullPattern.NONE, allocator));
    }
    return new RecordBatch(SCHEMA, ROWS, columns, 0);
  }

  private static double nanos(
      RecordBatch input, UnaryOperator<RecordBatch> preparation, Consumer<RecordBatch> operator) {
    double[] runs = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      for (int i = 0; i < ROUNDS; i++) {
        operator.accept(preparation.apply(borrowed(input)));
      }
      runs[run] = (System.nanoTime() - start) / ((double) ROUNDS * ROWS);
    }
    Arrays.sort(runs);
    return runs[RUNS / 2];
  }

  /** Returns a batch over the same memory, which it does not free. */
  private static RecordBatch borrowed(RecordBatch batch) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < batch.columnCount(); i++) {
      ColumnVector column = batch.column(i);
      MemoryBuffer data = column.data();
      MemoryBuffer view =
          new MemoryBuffer(
              data.address(), data.lengthInBytes(), data.capacityInBytes(), data.tier(), x -> {});
      column.heaps().forEach(SharedBuffer::retain);
      columns.add(
          column.dictionary() != null
              ? ColumnVector.ofDictionary(column.dictionary().retain(), ROWS, view, null, 0)
              : new ColumnVector(
                  column.type(),
                  column.physicalType(),
                  ROWS,
                  view,
                  null,
                  0,
                  column.heaps(),
                  List.of()));
    }
    return new RecordBatch(batch.schema(), ROWS, columns, 0);
  }

  private static Expression column(int index) {
    return new ColumnReference(index, SCHEMA.field(index).type(), true);
  }

  private static Expression call(Function function, DataType type, Expression... arguments) {
    return new Call(function, List.of(arguments), type, true, EvaluationMode.LEGACY, -1);
  }
}
