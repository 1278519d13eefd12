package io.ariadne.benchmark.workload;

import java.util.List;

/** Expressions over lineitem as in business reports: decimals, dates, CASE. */
final class ProjectedExpressions {
  /** Forty expressions in Spark's dialect. */
  static final List<String> ALL =
      List.of(
          "l_extendedprice * (1 - l_discount)",
          "l_extendedprice * (1 - l_discount) * (1 + l_tax)",
          "l_extendedprice * l_discount",
          "l_extendedprice / l_quantity",
          "round(l_extendedprice * l_tax, 2)",
          "round(l_extendedprice, -2)",
          "bround(l_extendedprice * l_discount, 1)",
          "ceil(l_extendedprice)",
          "floor(l_extendedprice * (1 - l_discount))",
          "cast(l_extendedprice as decimal(10, 1))",
          "cast(l_quantity as int)",
          "cast(l_extendedprice as double) * 0.5d",
          "l_extendedprice - l_quantity * 900",
          "-l_extendedprice",
          "abs(l_extendedprice - 40000)",
          "greatest(l_extendedprice, l_quantity * 1000)",
          "least(l_discount, l_tax)",
          "l_extendedprice % 100",
          "year(l_shipdate)",
          "month(l_shipdate)",
          "quarter(l_commitdate)",
          "dayofweek(l_receiptdate)",
          "weekofyear(l_shipdate)",
          "dayofyear(l_commitdate)",
          "datediff(l_receiptdate, l_shipdate)",
          "date_add(l_shipdate, 30)",
          "add_months(l_commitdate, 3)",
          "last_day(l_shipdate)",
          "trunc(l_receiptdate, 'month')",
          "next_day(l_shipdate, 'monday')",
          "case when l_discount > 0.05 then l_extendedprice else 0 end",
          "case when l_quantity < 10 then 1 when l_quantity < 25 then 2 else 3 end",
          "case when l_shipdate > l_commitdate then l_extendedprice * l_tax end",
          "case year(l_shipdate) when 1994 then l_quantity when 1995 then l_tax else 0 end",
          "if(l_receiptdate > l_commitdate, datediff(l_receiptdate, l_commitdate), 0)",
          "coalesce(nullif(l_discount, 0.00), l_tax)",
          "case when month(l_shipdate) in (12, 1, 2) then l_extendedprice * 2"
              + " else l_extendedprice end",
          "case when l_linenumber = 1 then l_shipdate else l_receiptdate end",
          "pmod(l_orderkey, 97)",
          "(l_partkey + l_suppkey) * l_linenumber");

  private ProjectedExpressions() {}
}
