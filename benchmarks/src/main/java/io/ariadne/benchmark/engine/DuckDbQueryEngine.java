package io.ariadne.benchmark.engine;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** DuckDB over the same Parquet files, through its JDBC driver. */
final class DuckDbQueryEngine implements QueryEngine {
  private final Connection connection;

  DuckDbQueryEngine(int cores, String memory, Map<String, String> tables) throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = " + cores);
      statement.execute("SET memory_limit = '" + memory.replace("g", "GB") + "'");
      for (var table : tables.entrySet()) {
        statement.execute(
            "CREATE VIEW %s AS SELECT * FROM read_parquet('%s/*.parquet')"
                .formatted(table.getKey(), table.getValue()));
      }
    }
  }

  @Override
  public List<Object[]> run(String sql) throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    long drained = 0;
    boolean writes = sql.startsWith(WRITE);
    boolean drains = writes || sql.startsWith(DRAIN);
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        Object[] values = new Object[columns];
        for (int i = 0; i < columns; i++) {
          values[i] = result.getObject(i + 1);
        }
        if (drains) {
          drained++;
        } else {
          rows.add(values);
        }
      }
    }
    return drains ? List.<Object[]>of(new Object[] {writes ? 0L : drained}) : rows;
  }

  @Override
  public Map<String, String> versions() {
    try {
      return Map.of("duckdb", connection.getMetaData().getDatabaseProductVersion());
    } catch (SQLException e) {
      throw new IllegalStateException("DuckDB does not tell its version", e);
    }
  }

  @Override
  public String lastPlan() {
    return "";
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("DuckDB did not close", e);
    }
  }
}
