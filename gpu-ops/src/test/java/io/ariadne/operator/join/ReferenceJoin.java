package io.ariadne.operator.join;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins rows one by one. The first columns of both sides are the keys, the one behind them a
 * number; a condition is that the probe side's is less than the build side's.
 */
final class ReferenceJoin {
  private final JoinSpec spec;
  private final int keys;

  ReferenceJoin(JoinSpec spec, int keys) {
    this.spec = spec;
    this.keys = keys;
  }

  List<List<Object>> join(List<List<Object>> probe, List<List<Object>> build) {
    Map<List<Object>, List<Integer>> byKey = new HashMap<>();
    boolean hasNullKey = false;
    for (int b = 0; b < build.size(); b++) {
      List<Object> key = key(build.get(b));
      hasNullKey |= key == null;
      if (key != null) {
        byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(b);
      }
    }
    List<List<Object>> output = new ArrayList<>();
    boolean[] matched = new boolean[build.size()];
    for (List<Object> row : probe) {
      List<Object> key = key(row);
      List<List<Object>> pairs = new ArrayList<>();
      for (int b : key == null ? List.<Integer>of() : byKey.getOrDefault(key, List.of())) {
        if (spec.condition() == null || isLess(row, build.get(b))) {
          pairs.add(build.get(b));
          matched[b] = true;
        }
      }
      boolean isKept =
          spec.kind() == JoinKind.NULL_AWARE_ANTI
              ? build.isEmpty() || (!hasNullKey && key != null && pairs.isEmpty())
              : pairs.isEmpty();
      put(row, pairs, isKept, output);
    }
    for (int b = 0; b < matched.length; b++) {
      if (isKept(matched[b])) {
        output.add(pair(nulls(spec.probe().columnCount()), build.get(b), matched[b]));
      }
    }
    return output;
  }

  /** Returns whether a build row is in the output without a pair. */
  private boolean isKept(boolean hasPair) {
    return switch (spec.kind()) {
      case FULL, BUILD_OUTER, BUILD_ANTI -> !hasPair;
      case BUILD_SEMI -> hasPair;
      case BUILD_EXISTENCE -> true;
      default -> false;
    };
  }

  private void put(
      List<Object> row, List<List<Object>> pairs, boolean isKept, List<List<Object>> output) {
    List<Object> none = nulls(spec.build().columnCount());
    if (spec.kind().yieldsPairs()) {
      pairs.forEach(other -> output.add(pair(row, other, true)));
    }
    boolean isOuter = spec.kind() == JoinKind.OUTER || spec.kind() == JoinKind.FULL;
    boolean isAnti = spec.kind() == JoinKind.ANTI || spec.kind() == JoinKind.NULL_AWARE_ANTI;
    boolean isAlone =
        spec.kind() == JoinKind.EXISTENCE
            || ((isOuter || isAnti) && isKept)
            || (spec.kind() == JoinKind.SEMI && !pairs.isEmpty());
    if (isAlone) {
      output.add(pair(row, none, !pairs.isEmpty()));
    }
  }

  private List<Object> pair(List<Object> row, List<Object> other, boolean exists) {
    List<Object> all = new ArrayList<>(row);
    all.addAll(other);
    all.add(exists);
    List<Object> output = new ArrayList<>();
    spec.outputColumns().forEach(column -> output.add(all.get(column)));
    return output;
  }

  private static List<Object> nulls(int count) {
    return Collections.nCopies(count, null);
  }

  private boolean isLess(List<Object> row, List<Object> other) {
    Long left = (Long) row.get(keys);
    Long right = (Long) other.get(keys);
    return left != null && right != null && left < right;
  }

  /** Returns the key with zeros and NaNs made the same, or null when a part of it is null. */
  private List<Object> key(List<Object> row) {
    List<Object> key = new ArrayList<>();
    for (Object value : row.subList(0, keys)) {
      if (value == null) {
        return null;
      }
      key.add(normalized(value));
    }
    return key;
  }

  private static Object normalized(Object value) {
    if (value instanceof Double number) {
      return number == 0 ? 0.0 : number.isNaN() ? Double.NaN : number;
    }
    if (value instanceof Float number) {
      return number == 0 ? 0.0f : number.isNaN() ? Float.NaN : number;
    }
    return value;
  }
}
