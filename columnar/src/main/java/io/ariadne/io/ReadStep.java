package io.ariadne.io;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A step that makes reading from slow storage faster. All are taken, unless the system property
 * {@value #PROPERTY} names some, separated by commas: benchmarks measure the share of each step by
 * leaving it out. Reading ahead is not among them, because a setting has its size.
 */
public enum ReadStep {
  /** Footers and page indexes are read and parsed once per process. Without: once per slice. */
  FOOTER_CACHE,

  /**
   * Ranges of different columns share a request when they are close. Without: no request for pages
   * has bytes of two column chunks, or bytes that nothing wants.
   */
  COALESCING,

  /**
   * An S3 request whose first byte is late is sent a second time. Without: only those are sent
   * again that have failed, or are not answered for twenty seconds. Decided when a store is first
   * used.
   */
  SECOND_REQUESTS;

  /** System property with the names of the steps that are left out, such as {@code coalescing}. */
  public static final String PROPERTY = "ariadne.io.without";

  /**
   * Returns whether this step is taken, as the property says now.
   *
   * @throws IllegalArgumentException when the property has a name that is not a step's
   */
  public boolean isOn() {
    String text = System.getProperty(PROPERTY, "");
    return text.isEmpty() || !parse(text).contains(this);
  }

  private static Set<ReadStep> parse(String text) {
    Set<ReadStep> steps = EnumSet.noneOf(ReadStep.class);
    for (String name : text.split(",", -1)) {
      steps.add(
          Arrays.stream(values())
              .filter(step -> step.text().equals(name))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException(invalid(name))));
    }
    return steps;
  }

  private static String invalid(String name) {
    String valid = Arrays.stream(values()).map(ReadStep::text).collect(Collectors.joining(", "));
    return PROPERTY + " has '" + name + "', which is not a step; steps are " + valid;
  }

  /** Returns the name in the property. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
