package io.ariadne.operator.join;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.util.List;

/**
 * The build side of joins, complete and in memory as a whole, apart from any of them: several
 * executions of joins over the same rows and keys read it, all at once. Closed after the operators
 * of these.
 */
public final class SharedBuild implements AutoCloseable {
  private final JoinBuild built;
  private final long sizeInBytes;

  /**
   * What of a join a table depends on, beside the rows: joins for which it is equal can share one.
   *
   * @param schema columns of the build side
   * @param keys expressions over these
   * @param knowsNulls whether it is known if a key is null
   */
  public record Shape(Schema schema, List<Expression> keys, boolean knowsNulls) {
    /** Copies the list. */
    public Shape {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Takes a build side over.
   *
   * @param built without rows that are not in its table
   * @param sizeInBytes what it takes in memory, about
   */
  SharedBuild(JoinBuild built, long sizeInBytes) {
    if (built.spilled() != null) {
      throw new IllegalArgumentException("rows that are not in the table cannot be shared");
    }
    this.built = built;
    this.sizeInBytes = sizeInBytes;
  }

  /** Returns what is built for a join, as an execution of that sees it; stays owned by this. */
  JoinBuild of(JoinSpec spec) {
    if (!spec.sharesBuild()) {
      throw new IllegalArgumentException("a join of kind " + spec.kind() + " marks its build rows");
    }
    JoinTable table = built.table();
    return new JoinBuild(spec.kind(), table, null, built.isEmpty(), built.hasNullKey());
  }

  /** Returns the number of rows. */
  public long rowCount() {
    return built.table().rowCount();
  }

  /** Returns what it takes in memory, about. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  @Override
  public void close() {
    built.close();
  }
}
