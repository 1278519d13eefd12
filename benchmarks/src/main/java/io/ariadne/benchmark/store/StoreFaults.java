package io.ariadne.benchmark.store;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The share of requests that fail in each way, and the seed that chooses them.
 *
 * <p>The choice depends on the request and on how often the same request came before, not on the
 * order of different requests: the same seed fails the same reads in a run with other timing, and
 * the repetition of a failed request is drawn anew.
 *
 * @param shares share of requests per fault, in (0, 1]; their sum is at most 1
 * @param seed seed of the choice
 */
public record StoreFaults(Map<StoreFault, Double> shares, long seed) {
  /** No faults. */
  public static final StoreFaults NONE = new StoreFaults(Map.of(), 0);

  /** Checks the shares. */
  public StoreFaults {
    shares = Map.copyOf(shares);
    double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
    if (sum > 1 || shares.values().stream().anyMatch(share -> !(share > 0))) {
      throw new IllegalArgumentException(
          "shares of faults must be greater than 0 and add up to at most 1: " + shares);
    }
  }

  /**
   * Parses shares such as {@code throttle=0.02,reset=0.01}.
   *
   * @param text empty or {@code none} for no faults
   */
  public static StoreFaults parse(String text, long seed) {
    Map<StoreFault, Double> shares = new EnumMap<>(StoreFault.class);
    if (text.isBlank() || text.equals("none")) {
      return new StoreFaults(shares, seed);
    }
    for (String part : text.split(",")) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "'%s' is not a fault and its share, such as throttle=0.02; faults are %s"
                .formatted(part, StoreFault.names()));
      }
      StoreFault fault = StoreFault.parse(part.substring(0, equals).trim());
      if (shares.put(fault, Double.valueOf(part.substring(equals + 1).trim())) != null) {
        throw new IllegalArgumentException("two shares of " + fault.text() + ": " + text);
      }
    }
    return new StoreFaults(shares, seed);
  }

  /**
   * Chooses what happens to a request.
   *
   * @param request identifies the request and its repetition
   * @return a source of the further random values of this request
   */
  SplittableRandom random(String request) {
    long hash = seed;
    for (int i = 0; i < request.length(); i++) {
      hash = (hash ^ request.charAt(i)) * 0x100000001b3L; // FNV-1a, which SplittableRandom mixes
    }
    return new SplittableRandom(hash);
  }

  /** Returns the fault of a request, or null for none. */
  StoreFault draw(SplittableRandom random) {
    double drawn = random.nextDouble();
    for (StoreFault fault : StoreFault.values()) {
      drawn -= shares.getOrDefault(fault, 0.0);
      if (drawn < 0) {
        return fault;
      }
    }
    return null;
  }

  /** Returns the shares as {@link #parse} takes them. */
  public String text() {
    return shares.isEmpty()
        ? "none"
        : new TreeMap<>(shares)
            .entrySet().stream()
                .map(e -> e.getKey().text() + "=" + e.getValue())
                .collect(Collectors.joining(","));
  }
}
