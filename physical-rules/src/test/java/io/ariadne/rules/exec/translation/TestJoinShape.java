package io.ariadne.rules.exec.translation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.bridge.ScalaCollections;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.optimizer.BuildRight$;
import org.apache.spark.sql.catalyst.optimizer.BuildSide;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.junit.jupiter.api.Test;
import scala.Option;

class TestJoinShape {
  private static boolean marksBuildRows(JoinType type, BuildSide side) {
    return new JoinShape(List.of(), List.of(), type, side, Option.empty(), false).marksBuildRows();
  }

  private static void assertCounts(boolean ifLeftIsKept, boolean ifRightIsKept, JoinType type) {
    assertEquals(ifLeftIsKept, marksBuildRows(type, BuildLeft$.MODULE$), type + ", left");
    assertEquals(ifRightIsKept, marksBuildRows(type, BuildRight$.MODULE$), type + ", right");
  }

  @Test
  void marksBuildRowsWhereTheBuildSideIsKept() {
    assertCounts(false, false, Inner$.MODULE$);
    assertCounts(false, false, Cross$.MODULE$);
    assertCounts(true, true, FullOuter$.MODULE$);
    assertCounts(true, false, LeftOuter$.MODULE$);
    assertCounts(true, false, LeftSemi$.MODULE$);
    assertCounts(true, false, LeftAnti$.MODULE$);
    assertCounts(false, true, RightOuter$.MODULE$);
    Attribute exists =
        new AttributeReference(
            "x",
            DataTypes.BooleanType,
            false,
            Metadata.empty(),
            NamedExpression$.MODULE$.newExprId(),
            ScalaCollections.seq(List.of()));
    assertCounts(true, false, new ExistenceJoin(exists));
  }

  /** A {@code NOT IN} that keeps its left side is no join of ours. */
  @Test
  void convertsNotInOnlyWithTheRightSideAsBuildSide() {
    for (BuildSide side : List.of(BuildLeft$.MODULE$, BuildRight$.MODULE$)) {
      JoinShape shape =
          new JoinShape(List.of(), List.of(), LeftAnti$.MODULE$, side, Option.empty(), true);
      assertFalse(shape.marksBuildRows(), side::toString);
      assertEquals(side == BuildRight$.MODULE$, shape.kind().isPresent(), side::toString);
    }
  }
}
