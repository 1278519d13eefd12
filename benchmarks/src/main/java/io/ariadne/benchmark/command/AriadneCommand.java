package io.ariadne.benchmark.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program behind {@code bin/ariadne}. */
@Command(
    name = "ariadne",
    description = "Demo and benchmarks of the Ariadne plugin for Apache Spark.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    subcommands = {
      DemoCommand.class,
      ExplainCommand.class,
      BenchCommand.class,
      GenerateCommand.class
    })
public final class AriadneCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /**
   * Runs a command line and exits with its status: 0 success, 1 wrong answers or failure, 2 usage.
   */
  public static void main(String[] args) {
    CommandLine commandLine = new CommandLine(new AriadneCommand());
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          command.getErr().println("ariadne: " + exception.getMessage());
          if (System.getenv("ARIADNE_TRACE") != null) {
            exception.printStackTrace(command.getErr());
          }
          return 1;
        });
    System.exit(commandLine.execute(args));
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
