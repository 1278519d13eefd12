package io.ariadne.rules.expression;

import io.ariadne.bridge.task.InputFiles;
import java.util.Objects;
import java.util.Set;

/**
 * What the translations of one fragment share.
 *
 * @param disabled names of Spark expression classes (and {@value #BRIDGE}) that the user switched
 *     off
 * @param replays where expressions that may raise are gathered
 * @param files tells bridged code which file its rows are of
 */
public record ConversionScope(Set<String> disabled, ReplayTable replays, InputFiles files) {
  /** The name under which the expression bridge as a whole is switched off. */
  public static final String BRIDGE = "ExpressionBridge";

  /** Checks for nulls and copies the set. */
  public ConversionScope {
    disabled = Set.copyOf(disabled);
    Objects.requireNonNull(replays, "replays is null");
    Objects.requireNonNull(files, "files is null");
  }

  /** Returns a scope for a trial translation whose gatherings nobody needs. */
  public static ConversionScope trial(Set<String> disabled) {
    return new ConversionScope(disabled, new ReplayTable(), new InputFiles());
  }
}
