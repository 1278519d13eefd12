package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.Option;

/**
 * By which of its names each function of an expression was called, which errors repeat: {@code
 * getbit} and {@code bit_get} are one class. Spark keeps the names in tags of the tree's nodes,
 * which Java's serialization leaves out, and puts them into generated code before it ships that.
 */
public final class FunctionAliases implements Serializable {
  private static final long serialVersionUID = 1L;

  /** By the position of the node in the tree, parents before their children. */
  private final Map<Integer, String> names = new HashMap<>();

  /** Notes the names in an expression. */
  public FunctionAliases(Expression expression) {
    List<Expression> nodes = new ArrayList<>();
    collect(expression, nodes);
    for (int i = 0; i < nodes.size(); i++) {
      Option<String> name = nodes.get(i).getTagValue(FunctionRegistry.FUNC_ALIAS());
      if (name.isDefined()) {
        names.put(i, name.get());
      }
    }
  }

  /**
   * Gives the nodes of a copy their names again.
   *
   * @param copy a copy of the constructor's argument
   * @return the copy
   */
  Expression restore(Expression copy) {
    if (!names.isEmpty()) {
      List<Expression> nodes = new ArrayList<>();
      collect(copy, nodes);
      names.forEach((i, name) -> nodes.get(i).setTagValue(FunctionRegistry.FUNC_ALIAS(), name));
    }
    return copy;
  }

  private static void collect(Expression expression, List<Expression> nodes) {
    nodes.add(expression);
    ScalaCollections.<Expression>list(expression.children()).forEach(c -> collect(c, nodes));
  }
}
