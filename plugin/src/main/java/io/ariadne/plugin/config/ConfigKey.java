package io.ariadne.plugin.config;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Objects;
import java.util.function.Function;

/**
 * One setting.
 *
 * @param name the key
 * @param scope when it is read
 * @param defaultText the value when nothing is set, as a user would write it
 * @param validValues what may be written, for people
 * @param doc what it does
 * @param parser reads a value; throws {@link IllegalArgumentException} for an invalid one
 * @param <T> the value's type
 */
public record ConfigKey<T>(
    String name,
    Scope scope,
    String defaultText,
    String validValues,
    String doc,
    Function<String, T> parser) {
  /** When a setting is read. */
  public enum Scope {
    /** Once, when the application starts. */
    APPLICATION,
    /** For every query, from its session. */
    SESSION,
    /** As one of the others; for Ariadne's own tests. */
    TEST
  }

  /** Checks for nulls and that the default is valid. */
  public ConfigKey {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(scope, "scope is null");
    Objects.requireNonNull(validValues, "validValues is null");
    Objects.requireNonNull(doc, "doc is null");
    Objects.requireNonNull(parser.apply(defaultText), "the default is not valid");
  }

  /**
   * Reads a value.
   *
   * @throws EngineException CONFIGURATION, naming the key, the value and the valid ones
   */
  public T parse(String text) {
    try {
      return parser.apply(text.trim());
    } catch (IllegalArgumentException e) {
      throw new EngineException(
          ErrorCode.CONFIGURATION,
          name + "=" + text + " is not valid; valid values: " + validValues,
          e);
    }
  }

  /** Returns the default. */
  public T defaultValue() {
    return parser.apply(defaultText);
  }
}
