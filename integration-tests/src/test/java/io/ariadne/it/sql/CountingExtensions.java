package io.ariadne.it.sql;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.Function1;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Session extensions of a user, which must stay registered beside the plugin's. */
public final class CountingExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit>
    implements Function1<SparkSessionExtensions, BoxedUnit> {
  private static final AtomicInteger APPLIED = new AtomicInteger();

  static int applied() {
    return APPLIED.get();
  }

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    APPLIED.incrementAndGet();
    return BoxedUnit.UNIT;
  }
}
