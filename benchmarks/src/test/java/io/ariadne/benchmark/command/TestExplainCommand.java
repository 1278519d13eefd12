package io.ariadne.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestExplainCommand {
  @Test
  void statementsEndAtSemicolonsOfLineEnds() {
    assertEquals(
        List.of("select ';' -- one; of two;\nfrom t", "select 2"),
        ExplainCommand.statements("select ';' -- one; of two;\nfrom t;  \r\n\nselect 2\n;\n"));
    assertThrows(IllegalArgumentException.class, () -> ExplainCommand.statements(" \n;\n"));
  }
}
