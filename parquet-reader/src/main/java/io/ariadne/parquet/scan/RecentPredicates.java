package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.RowPredicate;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Caches the compiled forms of the predicates used last. A predicate over constants of files, such
 * as partition values, differs from file to file. Used by one thread.
 */
final class RecentPredicates implements AutoCloseable {
  /** Number of cached predicates. */
  static final int MAX_KEPT = 16;

  private static final float LOAD_FACTOR = 0.75f;

  private final OperatorContext context;
  private final Map<Key, RowPredicate> recent = new LinkedHashMap<>(16, LOAD_FACTOR, true);

  private record Key(Schema input, Expression predicate) {}

  /**
   * Creates an empty cache.
   *
   * @param context where predicates are evaluated
   */
  RecentPredicates(OperatorContext context) {
    this.context = context;
  }

  /**
   * Returns the compiled form of a predicate.
   *
   * @param input columns that the predicate reads
   * @param predicate the predicate
   * @return stays this cache's, valid until the next call
   */
  RowPredicate get(Schema input, Expression predicate) {
    Key key = new Key(input, predicate);
    RowPredicate known = recent.get(key);
    if (known != null) {
      return known;
    }
    RowPredicate compiled = new RowPredicate(input, predicate, context);
    recent.put(key, compiled);
    if (recent.size() > MAX_KEPT) {
      Key eldest = recent.keySet().iterator().next();
      recent.remove(eldest).close();
    }
    return compiled;
  }

  /** Returns the number of cached predicates. */
  int size() {
    return recent.size();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    recent.values().forEach(closer::close);
    recent.clear();
    closer.rethrow();
  }
}
