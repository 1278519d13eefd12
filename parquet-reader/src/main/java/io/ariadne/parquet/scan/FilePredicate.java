package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionColumns;
import io.ariadne.expression.FunctionSupport;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringHeaps;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A scan's predicate in one file. Constants and missing columns are literals in it; strings only
 * where kernels support string literals. Immutable.
 *
 * @param columns indices of the scan's columns that it reads, at least one
 * @param schema these columns
 * @param expression over these columns
 */
record FilePredicate(List<Integer> columns, Schema schema, Expression expression) {
  /**
   * Returns a scan's predicate as it applies to a file. A kernel that computes a predicate of
   * columns may not support string literals; such strings stay columns.
   *
   * @param predicate over the scan's columns, supported by {@link FunctionSupport}
   * @param file where the columns come from
   * @return over the scan's columns that the file has; other columns are literals where kernels
   *     allow it
   */
  static Expression inFile(Expression predicate, FileColumns file) {
    Expression ofLiterals = inFile(predicate, file, true);
    return FunctionSupport.reasonAgainst(ofLiterals).isEmpty()
        ? ofLiterals
        : inFile(predicate, file, false);
  }

  private static Expression inFile(
      Expression predicate, FileColumns file, boolean hasLiteralStrings) {
    return ExpressionColumns.replace(
        predicate,
        reference ->
            file.sources().get(reference.index()) instanceof FileColumns.Constant constant
                    && (hasLiteralStrings || !StringHeaps.isView(reference.type()))
                ? new Literal(constant.value().value(), reference.type())
                : reference);
  }

  /**
   * Creates the predicate of an expression.
   *
   * @param inFile over the scan's columns
   * @param schema the scan's columns
   */
  static FilePredicate over(Expression inFile, Schema schema) {
    BitSet used = new BitSet();
    TileProgramCompiler.addColumns(inFile, used);
    List<Integer> columns = used.stream().boxed().toList();
    List<Field> fields = new ArrayList<>();
    columns.forEach(column -> fields.add(schema.field(column)));
    return new FilePredicate(
        columns, new Schema(fields), ExpressionColumns.renumber(inFile, columns));
  }

  /**
   * Lists the rows of a window for which the predicate is true.
   *
   * @param decoded the scan's columns, including those that this predicate reads; stay the caller's
   * @param rowCount rows of the window
   * @param indices memory for row numbers
   * @param predicates compiled ones, where the columns are
   * @return number of rows listed
   */
  int select(
      ColumnVector[] decoded, int rowCount, MemoryBuffer indices, RecentPredicates predicates) {
    List<ColumnVector> inputs = new ArrayList<>();
    columns.forEach(column -> inputs.add(decoded[column]));
    // not closed: the caller owns the columns
    RecordBatch view = new RecordBatch(schema, rowCount, inputs, 0);
    return predicates.get(schema, expression).select(view, indices);
  }
}
