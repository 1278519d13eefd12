package io.ariadne.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TestAriadneCommand {
  @Test
  void benchmarksAreSubcommandsWithTheSameOptions() {
    CommandLine.ParseResult tpch =
        parse("bench", "tpch", "--queries", "1,6", "--engines", "ariadne,duckdb", "--scale", "10");
    assertEquals("1,6", tpch.matchedOptionValue("--queries", ""));
    assertEquals(List.of("ariadne", "duckdb"), tpch.matchedOptionValue("--engines", List.of()));
    CommandLine.ParseResult scan =
        parse("bench", "scan", "--cases=filter,types", "--rounds", "7", "--cores", "1");
    assertEquals(List.of("filter", "types"), scan.matchedOptionValue("--cases", List.of()));
    assertEquals(7, scan.matchedOptionValue("--rounds", 0));
  }

  @Test
  void onlineHasRoundsOfTheInputAndOfTheRun() {
    CommandLine.ParseResult online =
        parse("bench", "online", "--megabytes", "50", "--input-rounds", "10", "--rounds", "3");
    assertEquals(10, online.matchedOptionValue("--input-rounds", 0));
    assertEquals(3, online.matchedOptionValue("--rounds", 0));
    assertEquals(50L, online.matchedOptionValue("--megabytes", 0L));
  }

  @Test
  void everyCommandHasHelp() {
    assertTrue(parse("bench", "scan", "--help").isUsageHelpRequested());
    assertTrue(parse("demo", "--help").isUsageHelpRequested());
  }

  @Test
  void unknownBenchmarkIsRefused() {
    assertThrows(CommandLine.UnmatchedArgumentException.class, () -> parse("bench", "nothing"));
  }

  /** Parses a command line and returns what its innermost command was told. */
  private static CommandLine.ParseResult parse(String... arguments) {
    CommandLine.ParseResult result = new CommandLine(new AriadneCommand()).parseArgs(arguments);
    while (result.hasSubcommand()) {
      result = result.subcommand();
    }
    return result;
  }
}
