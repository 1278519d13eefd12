package io.ariadne.plugin;

import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Extensions a user has configured beside the plugin. */
public final class UserExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  static volatile boolean applied;

  /** Creates the extensions; Spark calls this. */
  public UserExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    applied = true;
    return BoxedUnit.UNIT;
  }
}
