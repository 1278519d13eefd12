package io.ariadne.rules.expression;

import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.BinaryArithmetic;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.types.DecimalType;

/**
 * Finds decimal arithmetic that cannot overflow. Spark's result type can hold every result, unless
 * that would need more than 38 digits: then Spark reduces the number of digits.
 */
final class ExactDecimals {
  private ExactDecimals() {}

  /** Returns whether no sum, difference or product is too large or too fine for its type. */
  static boolean isExact(BinaryArithmetic arithmetic) {
    if (!(arithmetic.left().dataType() instanceof DecimalType a)
        || !(arithmetic.right().dataType() instanceof DecimalType b)
        || !(arithmetic.dataType() instanceof DecimalType result)) {
      return false;
    }
    int integralA = a.precision() - a.scale();
    int integralB = b.precision() - b.scale();
    int integral;
    int scale;
    if (arithmetic instanceof Multiply) {
      integral = integralA + integralB;
      scale = a.scale() + b.scale();
    } else if (arithmetic instanceof Add || arithmetic instanceof Subtract) {
      integral = Math.max(integralA, integralB) + 1;
      scale = Math.max(a.scale(), b.scale());
    } else {
      return false;
    }
    return result.scale() >= scale && result.precision() - result.scale() >= integral;
  }
}
