package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.expression.ErrorContext;
import io.ariadne.bridge.expression.RowReplay;
import io.ariadne.bridge.task.TaskSettings;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataTypes;

/**
 * Spark's own copies of the expressions of a fragment that may raise, by number.
 *
 * <p>A kernel that finds an error reports the number. Spark's expression is then evaluated on the
 * failing row and raises Spark's own error. Filled on Spark's driver, read-only after it was
 * shipped.
 */
public final class ReplayTable implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Numbers are 16 bits wide in the kernels' error word, and the last of them says that the origin
   * is not known.
   */
  private static final int MAX_ENTRIES = (1 << 16) - 1;

  private final TaskSettings settings = TaskSettings.ofQuery();
  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Expression expression, ErrorContext notes, List<Attribute> input)
      implements Serializable {}

  /**
   * Adds an expression.
   *
   * @param expression Spark's
   * @param input the columns its node reads, by position; none for a closed expression
   * @return its number
   */
  int add(Expression expression, List<Attribute> input) {
    if (entries.size() == MAX_ENTRIES) {
      throw new NoKernelException("more than " + MAX_ENTRIES + " expressions that may raise");
    }
    entries.add(new Entry(expression, new ErrorContext(expression), new ArrayList<>(input)));
    return entries.size() - 1;
  }

  /**
   * Adds expressions that are computed one after the other.
   *
   * @param expressions all expressions of a node, in Spark's order
   * @param input the columns that the node reads, by position
   * @return their number
   */
  public int addInOrder(List<Expression> expressions, List<? extends Attribute> input) {
    List<Expression> fields = new ArrayList<>();
    for (Expression expression : expressions) {
      fields.add(Literal.create("_" + fields.size(), DataTypes.StringType));
      fields.add(expression);
    }
    return add(new CreateNamedStruct(ScalaCollections.seq(fields)), List.copyOf(input));
  }

  /** Returns the settings under which the expressions are evaluated. */
  public TaskSettings settings() {
    return settings;
  }

  /** Returns the expression with this number. */
  public Expression expression(int origin) {
    return entries.get(origin).expression();
  }

  /** Returns what evaluates the expression with this number on a row of its node's input. */
  public RowReplay replay(int origin) {
    Entry entry = entries.get(origin);
    return new RowReplay(entry.expression(), entry.notes(), entry.input());
  }
}
