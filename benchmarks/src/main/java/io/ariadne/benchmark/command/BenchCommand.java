package io.ariadne.benchmark.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ariadne bench}: compares engines; the benchmarks are subcommands. */
@Command(
    name = "bench",
    description = "Compares engines; fails when answers differ.",
    subcommands = {
      TpchBenchCommand.class,
      TpcdsBenchCommand.class,
      ScanBenchCommand.class,
      AggregateBenchCommand.class,
      SortBenchCommand.class,
      CloudSortBenchCommand.class,
      ExchangeBenchCommand.class,
      OnlineBenchCommand.class,
      OperatorsBenchCommand.class,
      TransferBenchCommand.class
    })
final class BenchCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
