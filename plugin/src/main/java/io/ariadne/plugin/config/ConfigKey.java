package io.ariadne.plugin.config;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Objects;
import java.util.function.Function;

/**
 * The declaration of one setting.
 *
 * @param name the key
 * @param scope when Ariadne reads it
 * @param defaultText default value, as a user would write it
 * @param validValues description of the valid values
 * @param doc description of the effect
 * @param parser parses a value; throws {@link IllegalArgumentException} for an invalid value
 * @param <T> type of the value
 */
public record ConfigKey<T>(
    String name,
    Scope scope,
    String defaultText,
    String validValues,
    String doc,
    Function<String, T> parser) {
  /** When Ariadne reads a setting. */
  public enum Scope {
    /** Once, when the application starts. */
    APPLICATION,
    /** For every query, from its session. */
    SESSION,
    /** At either time; for Ariadne's tests. */
    TEST
  }

  /** Checks that nothing is null and that the default is valid. */
  public ConfigKey {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(scope, "scope is null");
    Objects.requireNonNull(validValues, "validValues is null");
    Objects.requireNonNull(doc, "doc is null");
    Objects.requireNonNull(parser.apply(defaultText), "the default is not valid");
  }

  /**
   * Parses a value.
   *
   * @throws EngineException CONFIGURATION for an invalid value; the message has the key, the value
   *     and the valid values
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
