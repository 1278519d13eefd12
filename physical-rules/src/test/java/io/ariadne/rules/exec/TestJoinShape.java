package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.optimizer.BuildRight$;
import org.apache.spark.sql.catalyst.optimizer.BuildSide;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
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
  void testWhoseRowsCount() {
    assertCounts(false, false, Inner$.MODULE$);
    assertCounts(false, false, Cross$.MODULE$);
    assertCounts(true, true, FullOuter$.MODULE$);
    assertCounts(true, false, LeftOuter$.MODULE$);
    assertCounts(true, false, LeftSemi$.MODULE$);
    assertCounts(true, false, LeftAnti$.MODULE$);
    assertCounts(false, true, RightOuter$.MODULE$);
  }
}
