package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A damaged copy of a file and what is read of it: given by its seed alone.
 *
 * @param seed the seed
 * @param file the sound file
 * @param copy the damaged bytes
 * @param fields the columns read
 * @param predicate which rows are read, null for all
 */
record FuzzCase(long seed, SoundFile file, byte[] copy, List<Field> fields, Expression predicate) {
  /** Returns the case of a seed. */
  static FuzzCase of(long seed, List<SoundFile> files) {
    SplittableRandom random = new SplittableRandom(seed);
    SoundFile file = files.get(random.nextInt(files.size()));
    byte[] copy = new Damage(file, random).make();
    List<Field> fields = FuzzCheck.some(file, random);
    Expression predicate = random.nextInt(8) == 0 ? predicate(fields) : null;
    return new FuzzCase(seed, file, copy, fields, predicate);
  }

  /** Returns the case with other bytes. */
  FuzzCase with(byte[] bytes) {
    return new FuzzCase(seed, file, bytes, fields, predicate);
  }

  /** Returns the name that errors must have. */
  String name() {
    return "case-" + seed + ".parquet";
  }

  private static Expression predicate(List<Field> fields) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).type() == PrimitiveType.INT32) {
        return negative(i, PrimitiveType.INT32, 0);
      }
      if (fields.get(i).type() == PrimitiveType.INT64) {
        return negative(i, PrimitiveType.INT64, 0L);
      }
    }
    return null;
  }

  private static Expression negative(int column, PrimitiveType type, Serializable zero) {
    return new Call(
        Function.LESS,
        List.of(new ColumnReference(column, type, true), new Literal(zero, type)),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        -1);
  }
}
