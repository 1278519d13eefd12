package io.ariadne.operator.key;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.operator.project.ProjectionStep;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys that are plain columns, whose rows may be grouped by dictionary codes. Immutable, shared by
 * threads.
 *
 * @param columns the column numbers in the batch
 * @param schema the keys
 * @param compiler decodes batches of keys
 */
public record CodedKeys(List<Integer> columns, Schema schema, TileProgramCompiler compiler) {
  /**
   * Returns the keys of an aggregation or a join; null when a key is computed or there are no keys.
   */
  public static CodedKeys of(List<Expression> keys) {
    List<Integer> columns = new ArrayList<>();
    List<Expression> own = new ArrayList<>();
    for (Expression key : keys) {
      if (!(key instanceof ColumnReference reference)) {
        return null;
      }
      own.add(new ColumnReference(columns.size(), key.type(), true));
      columns.add(reference.index());
    }
    return columns.isEmpty()
        ? null
        : new CodedKeys(
            List.copyOf(columns),
            ProjectionStep.schemaOf(own),
            TileProgramCompiler.withDefaultLayouts(own));
  }
}
