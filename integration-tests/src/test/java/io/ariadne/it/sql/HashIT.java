package io.ariadne.it.sql;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's hash functions over every type against Spark. */
class HashIT extends AbstractDifferentialIT {
  private static final Coverage HASHES =
      Coverage.of(Coverage.PROJECT).kernels("Murmur3Hash", "XxHash64");
  private static final List<String> TYPES =
      List.of("z", "b", "s", "i", "l", "f", "d", "n", "m", "h", "a", "t", "u", "c", "x");

  static Stream<String> types() {
    return TYPES.stream();
  }

  @ParameterizedTest
  @MethodSource("types")
  void valuesOfOneTypeMatchSpark(String type) {
    differential.check(
        "select id, hash($1), xxhash64($1), hash($1, $2), xxhash64($2, $1), hash(id, $1)"
                .replace("$", type)
            + " from edge where id >= 0",
        LEGACY,
        HASHES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"empty", "one", "small", "edge"})
  void allTypesInOneChainMatchSpark(String table) {
    String columns = String.join(", ", TYPES.stream().map(type -> type + "1").toList());
    String reverse = "x2, c2, u2, t2, a2, h2, m2, n2, d2, f2, l2, i2, s2, b2, z2";
    differential.check(
        "select id, hash(%s), xxhash64(%s), hash(%s), xxhash64(%s) from %s where id >= 0"
            .formatted(columns, columns, reverse, reverse, table),
        LEGACY,
        HASHES);
  }

  @Test
  void literalsAmongTheValuesMatchSpark() {
    differential.check(
        "select id, hash(i1, 'a', c1, 'a longer string than fits a view'), hash(7, l1, null, ''),"
            + " xxhash64('', c1, x'00ff', 1.5D, -0.0D), hash('abc', c2), xxhash64(1Y, null, c1),"
            + " hash(date '1500-01-01', a1, 12345678901234567890.5, h1, true, z1),"
            + " xxhash64(cast('NaN' as float), f1, cast('NaN' as double), d1) from edge",
        LEGACY,
        HASHES);
  }

  @Test
  void hashesOfExpressions() {
    differential.check(
        "select id, hash(i1 + 1, i2 is null, coalesce(l1, l2)), xxhash64(abs(n1), a1 + 3),"
            + " hash(c1, l1) % 200 from edge where hash(c1) % 3 <> 0",
        LEGACY, HASHES);
  }

  @Test
  void sumsOfHashesAreFused() {
    differential.check(
        "select sum(hash(i1)), sum(hash(c1)), sum(hash(x1)), sum(hash(h1)), sum(hash(d1)),"
            + " min(xxhash64(c2)), max(xxhash64(t1)), count(hash(z1)) from edge",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).kernels("Murmur3Hash", "XxHash64"));
    differential.check(
        "select g, sum(hash(c1, c2)), min(xxhash64(l1)) from edge group by g",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).kernels("Murmur3Hash", "XxHash64"));
  }

  @Test
  void nestedValuesAreLeftToTheBridge() {
    differential.check(
        "select id, hash(array(i1, i2), c1), xxhash64(struct(l1, c1)) from edge where id >= 0",
        LEGACY,
        Coverage.of(Coverage.PROJECT).bridged("Murmur3Hash", "XxHash64"));
  }
}
