package io.ariadne.rules.overlap;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.parquet.scan.ParquetScanOptions;
import io.ariadne.parquet.scan.ParquetScanSpec;
import io.ariadne.parquet.scan.ScanColumn;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.PartitionNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.ScanNode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * A map task over lineitem: rows from a day on, with the revenue and a fingerprint computed,
 * partitioned by the hash of their order. The fingerprint is a hash of all columns, then again a
 * hash of itself and all columns, as often as the computation shall take long.
 */
final class OverlapPlan {
  /** Partitions of the exchange. */
  static final int PARTITIONS = 64;

  /** Id of the scan's node. */
  static final int SCAN = 0;

  private static final DataType MONEY = new DecimalType(12, 2);
  private static final List<Field> LINEITEM =
      List.of(
          new Field("l_orderkey", PrimitiveType.INT64, true),
          new Field("l_partkey", PrimitiveType.INT64, true),
          new Field("l_suppkey", PrimitiveType.INT64, true),
          new Field("l_quantity", MONEY, true),
          new Field("l_extendedprice", MONEY, true),
          new Field("l_discount", MONEY, true),
          new Field("l_shipdate", PrimitiveType.DATE32, true),
          new Field("l_shipmode", PrimitiveType.STRING, true));
  private static final int PRICE = 4;
  private static final int DISCOUNT = 5;
  private static final int SHIP_DATE = 6;
  private static final int SPARKS_SEED = 42;
  private static final DataType REVENUE = new DecimalType(25, 4);

  /** The columns of the exchange. */
  static final Schema OUTPUT = output();

  private OverlapPlan() {}

  private static Schema output() {
    List<Field> fields = new ArrayList<>(LINEITEM);
    fields.set(PRICE, new Field("revenue", REVENUE, true));
    fields.remove(DISCOUNT);
    fields.add(new Field("fingerprint", PrimitiveType.INT64, false));
    return new Schema(fields);
  }

  /** Returns what the scan reads. */
  static ParquetScanSpec scan() {
    return new ParquetScanSpec(
        LINEITEM.stream().map(ScanColumn::ofFile).toList(), null, ParquetScanOptions.DEFAULT);
  }

  /**
   * Returns the plan over scan 0; its last column is the partition.
   *
   * @param hashes how often the columns are hashed, at least 1
   */
  static PlanNode plan(int hashes) {
    PlanNode scan = new ScanNode(SCAN, 0, new Schema(LINEITEM));
    Literal day =
        new Literal((int) LocalDate.parse("1993-07-01").toEpochDay(), PrimitiveType.DATE32);
    PlanNode recent =
        new FilterNode(
            1,
            scan,
            call(Function.GREATER_OR_EQUAL, PrimitiveType.BOOLEAN, column(SHIP_DATE), day));
    List<Field> fields = new ArrayList<>(OUTPUT.fields());
    fields.add(new Field("hash", PrimitiveType.INT32, false));
    PlanNode projected = new ProjectNode(2, recent, expressions(hashes), new Schema(fields));
    return new PartitionNode(3, projected, PARTITIONS);
  }

  private static List<Expression> expressions(int hashes) {
    List<Expression> expressions = new ArrayList<>();
    for (int i = 0; i < LINEITEM.size(); i++) {
      if (i == PRICE) {
        expressions.add(call(Function.MULTIPLY, REVENUE, column(PRICE), column(DISCOUNT)));
      } else if (i != DISCOUNT) {
        expressions.add(column(i));
      }
    }
    expressions.add(fingerprint(hashes));
    Literal seed = new Literal(SPARKS_SEED, PrimitiveType.INT32);
    expressions.add(call(Function.MURMUR3_HASH, PrimitiveType.INT32, seed, column(0)));
    return expressions;
  }

  private static Expression fingerprint(int hashes) {
    Expression hash = null;
    for (int i = 0; i < hashes; i++) {
      List<Expression> arguments = new ArrayList<>();
      arguments.add(new Literal((long) SPARKS_SEED, PrimitiveType.INT64));
      if (hash != null) {
        arguments.add(hash);
      }
      for (int c = 0; c < LINEITEM.size(); c++) {
        arguments.add(column(c));
      }
      hash = call(Function.XXHASH64, PrimitiveType.INT64, arguments.toArray(Expression[]::new));
    }
    return hash;
  }

  private static Expression column(int index) {
    return new ColumnReference(index, LINEITEM.get(index).type(), true);
  }

  private static Call call(Function function, DataType type, Expression... arguments) {
    return new Call(
        function,
        List.of(arguments),
        type,
        function != Function.MURMUR3_HASH && function != Function.XXHASH64,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }
}
