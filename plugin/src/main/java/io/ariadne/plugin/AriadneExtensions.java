package io.ariadne.plugin;

import io.ariadne.plugin.config.SessionConfig;
import io.ariadne.rules.AdaptiveExchanges;
import io.ariadne.rules.AriadneColumnarRule;
import io.ariadne.rules.OnePartitionRule;
import io.ariadne.rules.RulesConfig;
import io.ariadne.rules.RuntimeFilterRule;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.execution.ColumnarRule;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Adds Ariadne's planner rules to every session. {@link AriadneDriverPlugin} appends its name to
 * {@code spark.sql.extensions}; Spark creates an instance per session.
 */
public final class AriadneExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  private final SessionConfig config = new SessionConfig();

  /** Creates the extensions; Spark calls this. */
  public AriadneExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectColumnar(session -> rule());
    extensions.injectQueryStagePrepRule(session -> new OnePartitionRule(this::settings));
    extensions.injectQueryStagePrepRule(session -> new RuntimeFilterRule(this::settings));
    extensions.injectQueryStagePrepRule(session -> new AdaptiveExchanges());
    return BoxedUnit.UNIT;
  }

  private ColumnarRule rule() {
    return new AriadneColumnarRule(this::settings);
  }

  /** Returns the settings of the session; Ariadne is disabled while executors are not ready. */
  private RulesConfig settings() {
    RulesConfig session = config.read();
    return session.enabled() && !ExecutorReadiness.canPlan() ? session.disabledSession() : session;
  }
}
