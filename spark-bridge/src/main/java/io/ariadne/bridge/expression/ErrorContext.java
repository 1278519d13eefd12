package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.DivideDTInterval;
import org.apache.spark.sql.catalyst.expressions.DivideYMInterval;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MakeDTInterval;
import org.apache.spark.sql.catalyst.expressions.MakeYMInterval;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import scala.Option;

/**
 * Preserves parts of an expression that its error messages quote but Java's serialization drops:
 * fields of {@link TreeNode}, which is not serializable. Spark's driver copies them into generated
 * code.
 *
 * <p>The parts are the name by which each function was called ({@code getbit} and {@code bit_get}
 * are one class, and the name is a tag of the node), and the position in the query text of each
 * node whose class reads it on failure. Other classes keep a copy of their own.
 */
public final class ErrorContext implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Classes that call {@code origin.context()} when they evaluate. */
  private static final Set<Class<?>> ASK_THEIR_ORIGIN =
      Set.of(
          DivideDTInterval.class,
          DivideYMInterval.class,
          MakeDTInterval.class,
          MakeYMInterval.class);

  private static final Field ORIGIN = field();

  /** Function names by the position of the node in the tree, parents before their children. */
  private final Map<Integer, String> names = new HashMap<>();

  private final Map<Integer, Origin> origins = new HashMap<>();

  /** Records what errors of an expression quote. */
  public ErrorContext(Expression expression) {
    List<Expression> nodes = new ArrayList<>();
    collect(expression, nodes);
    for (int i = 0; i < nodes.size(); i++) {
      Expression node = nodes.get(i);
      Option<String> name = node.getTagValue(FunctionRegistry.FUNC_ALIAS());
      if (name.isDefined()) {
        names.put(i, name.get());
      }
      if (ASK_THEIR_ORIGIN.contains(node.getClass())) {
        origins.put(i, node.origin());
      }
    }
  }

  /**
   * Restores the recorded parts in a copy.
   *
   * @param copy a copy of the constructor's argument
   * @return the copy
   */
  Expression restore(Expression copy) {
    if (!names.isEmpty() || !origins.isEmpty()) {
      List<Expression> nodes = new ArrayList<>();
      collect(copy, nodes);
      names.forEach((i, name) -> nodes.get(i).setTagValue(FunctionRegistry.FUNC_ALIAS(), name));
      origins.forEach((i, origin) -> setOrigin(nodes.get(i), origin));
    }
    return copy;
  }

  private static void collect(Expression expression, List<Expression> nodes) {
    nodes.add(expression);
    ScalaCollections.<Expression>list(expression.children()).forEach(c -> collect(c, nodes));
  }

  /**
   * Sets a node's position in the query text. When the node was deserialized it took the position
   * from the current thread, which has none.
   */
  private static void setOrigin(Expression node, Origin origin) {
    try {
      ORIGIN.set(node, origin);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the origin of " + node.getClass() + " cannot be set", e);
    }
  }

  private static Field field() {
    try {
      Field origin = TreeNode.class.getDeclaredField("origin");
      origin.setAccessible(true);
      return origin;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("Spark's TreeNode has no field origin", e);
    }
  }
}
