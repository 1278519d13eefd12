package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.table.OneRowGroup;
import io.ariadne.benchmark.table.SmallFiles;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchTable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The cases of the scan benchmark: queries over lineitem that are nearly all scan. */
public enum ScanCase {
  /** All columns: the sum of a hash over each. */
  PROJECTION {
    @Override
    List<BenchmarkQuery> queries() {
      return List.of(hashOfAll(name, TABLE));
    }
  },

  /**
   * Sums and maxima of ten columns, of the rows of 25 of the 2526 ship dates. Every page has such
   * rows, so that no page can be skipped. The columns are all numbers and the two other dates:
   * types that every engine sums and compares natively.
   */
  FILTER {
    @Override
    List<BenchmarkQuery> queries() {
      String aggregates =
          columns().stream()
              .filter(c -> !isText(c) && !c.getColumnName().equals("l_shipdate"))
              .map(c -> (isDate(c) ? "max(" : "sum(") + c.getColumnName() + ")")
              .collect(Collectors.joining(", "));
      String predicate = "l_shipdate between date '1995-03-01' and date '1995-03-25'";
      return List.of(
          new BenchmarkQuery(
              name, "select " + aggregates + " from " + TABLE + " where " + predicate));
    }
  },

  /** TPC-H's query 6 over small files. */
  SMALL_FILES {
    @Override
    List<BenchmarkQuery> queries() {
      return List.of(new BenchmarkQuery(name, query6(SmallFiles.TABLE)));
    }

    @Override
    String table() {
      return SmallFiles.TABLE;
    }
  },

  /** TPC-H's query 6, and the sum of a hash over each column, of one file with one row group. */
  ONE_ROW_GROUP {
    @Override
    List<BenchmarkQuery> queries() {
      return List.of(
          new BenchmarkQuery(name, query6(OneRowGroup.TABLE)),
          hashOfAll(name + "-all", OneRowGroup.TABLE));
    }

    @Override
    String table() {
      return OneRowGroup.TABLE;
    }
  },

  /** Hashes of forty expressions of decimals, dates and CASE. */
  EXPRESSIONS {
    @Override
    List<BenchmarkQuery> queries() {
      String expressions = String.join(", ", ProjectedExpressions.ALL);
      return List.of(hashed(name, "select sum(hash(" + expressions + ")) from " + TABLE));
    }
  },

  /** Functions of the comments: LIKE with two wildcards, substring, upper case. */
  STRINGS {
    @Override
    List<BenchmarkQuery> queries() {
      String hash = "select sum(hash(%s)) from " + TABLE;
      return List.of(
          new BenchmarkQuery(
              "like",
              "select count(*) from " + TABLE + " where l_comment like '%express%deposits%'"),
          hashed("substring", hash.formatted("substring(l_comment, 3, 20)")),
          hashed("upper", hash.formatted("upper(l_comment)")));
    }
  },

  /** Casts of numbers, decimals and dates to strings and back; rounding of doubles. */
  CASTS {
    @Override
    List<BenchmarkQuery> queries() {
      String strings =
          "cast(l_orderkey as string) o, cast(l_extendedprice as string) p,"
              + " cast(l_shipdate as string) d";
      String from = " from (select " + strings + " from " + TABLE + ")";
      String doubles =
          " from (select cast(l_extendedprice * 0.07d as string) s from " + TABLE + ")";
      return List.of(
          hashed("to-strings", "select sum(hash(o, p, d))" + from),
          hashed(
              "and-back",
              "select sum(hash(cast(o as bigint), cast(p as decimal(15,2)), cast(d as date)))"
                  + from),
          hashed("doubles-to-strings", "select sum(hash(s))" + doubles),
          hashed("doubles-and-back", "select sum(hash(cast(s as double)))" + doubles),
          hashed(
              "doubles-rounded",
              "select sum(hash(round(l_extendedprice * 0.07d, 2),"
                  + " cast(l_extendedprice * 0.07d as decimal(15, 3)))) from "
                  + TABLE));
    }
  },

  /**
   * Each column in a query of its own, under the cheapest aggregate that needs every value and that
   * no engine answers from statistics: sums of numbers, comparisons of dates, hashes of strings.
   */
  TYPES {
    @Override
    List<BenchmarkQuery> queries() {
      return columns().stream().map(ScanCase::query).toList();
    }
  };

  /** The table that most cases read. */
  static final String TABLE = "lineitem";

  /** Name on the command line. */
  final String name = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Returns the queries of this case. */
  abstract List<BenchmarkQuery> queries();

  /** Returns the table that the queries read. */
  String table() {
    return TABLE;
  }

  /** Returns the case of a name on the command line. */
  public static ScanCase parse(String name) {
    return Arrays.stream(values())
        .filter(c -> c.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(invalid(name)));
  }

  private static String invalid(String name) {
    String valid = Arrays.stream(values()).map(c -> c.name).collect(Collectors.joining(", "));
    return "'" + name + "' is not a case of the scan benchmark; valid cases are " + valid;
  }

  private static String query6(String table) {
    return TpchQueries.text(6, 1).replace("from lineitem", "from " + table);
  }

  /** Returns a query that sums a hash over each column. */
  private static BenchmarkQuery hashOfAll(String name, String table) {
    String sums =
        columns().stream()
            .map(column -> "sum(hash(" + column.getColumnName() + "))")
            .collect(Collectors.joining(", "));
    return hashed(name, "select " + sums + " from " + table);
  }

  private static List<? extends TpchColumn<?>> columns() {
    return TpchTable.LINE_ITEM.getColumns();
  }

  private static BenchmarkQuery query(TpchColumn<?> column) {
    String name = column.getColumnName();
    if (isText(column)) {
      return hashed(name, "select sum(hash(" + name + ")) from " + TABLE);
    }
    String aggregate =
        isDate(column)
            ? "sum(case when " + name + " < date '1995-06-17' then 1 else 0 end)"
            : "sum(" + name + ")";
    return new BenchmarkQuery(name, "select " + aggregate + " from " + TABLE);
  }

  /** Returns a query with hashes, which differ between dialects. */
  private static BenchmarkQuery hashed(String name, String sql) {
    return new BenchmarkQuery(name, sql, false);
  }

  private static boolean isText(TpchColumn<?> column) {
    return switch (column.getType().getBase()) {
      case VARCHAR -> true;
      case INTEGER, IDENTIFIER, DOUBLE, DATE -> false;
    };
  }

  private static boolean isDate(TpchColumn<?> column) {
    return switch (column.getType().getBase()) {
      case DATE -> true;
      case INTEGER, IDENTIFIER, DOUBLE, VARCHAR -> false;
    };
  }
}
