package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.CsvToStructs;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import scala.Tuple2;
import scala.runtime.AbstractPartialFunction;

/**
 * Prepares {@code from_csv} for evaluation where Spark's driver does not generate its code.
 * Stateless.
 *
 * <p>Spark 4 keeps the name of the column for malformed records in a transient field of {@link
 * CsvToStructs}, which Java's serialization omits. A deserialized copy would treat that column as
 * one of the record's. Spark itself reads the field when its driver generates code.
 */
final class CsvRecords {
  private static final String OPTION = "columnNameOfCorruptRecord";

  private static final AbstractPartialFunction<Expression, Expression> NAMED =
      new AbstractPartialFunction<>() {
        @Override
        public boolean isDefinedAt(Expression part) {
          return part instanceof CsvToStructs csv
              && csv.options().keysIterator().filter(CsvRecords::isName).isEmpty();
        }

        @Override
        public Expression apply(Expression part) {
          return named((CsvToStructs) part);
        }
      };

  private CsvRecords() {}

  /**
   * Returns an expression that can be serialised. Each {@code from_csv} gets the name of the column
   * for malformed records, a setting of the planning session, as an option.
   */
  static Expression withNames(Expression expression) {
    return expression.transform(NAMED);
  }

  /**
   * Returns whether {@code from_csv} reads variants. It first tries the type of the previous record
   * (Spark's {@code UnivocityParser}), so its rows must come in order, on one thread.
   */
  static boolean readsVariants(CsvToStructs csv) {
    return csv.schema().existsRecursively(CsvRecords::isVariant);
  }

  // Spark 3.5 has no such class.
  private static boolean isVariant(DataType type) {
    return type.typeName().equals("variant");
  }

  private static boolean isName(String option) {
    return option.equalsIgnoreCase(OPTION);
  }

  private static Expression named(CsvToStructs csv) {
    Map<String, String> options = new HashMap<>();
    for (Tuple2<String, String> each :
        ScalaCollections.<Tuple2<String, String>>list(csv.options())) {
      options.put(each._1(), each._2());
    }
    options.put(OPTION, SQLConf.get().columnNameOfCorruptRecord());
    return csv.copy(
        csv.schema(),
        ScalaCollections.map(options),
        csv.child(),
        csv.timeZoneId(),
        csv.requiredSchema());
  }
}
