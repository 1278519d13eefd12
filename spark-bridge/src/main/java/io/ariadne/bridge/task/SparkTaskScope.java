package io.ariadne.bridge.task;

import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.sql.execution.SQLExecution;

/**
 * A Spark task's surroundings, which other threads enter while they work for the task: TaskContext,
 * context class loader and input-file holder.
 *
 * <p>Without them {@code SQLConf.get} silently reads other settings than the query's, and user
 * classes are not found. Thread-safe. Calls of {@link #enter} and {@link #exit} must be paired on
 * one thread, may nest, and restore what the thread had before. The input-file holder is shared
 * with the task thread and states the file that the task thread reads now; on Spark 3.5 it is a
 * copy from when the scope was created. {@link InputFiles} is more precise for code that processes
 * a batch.
 */
public final class SparkTaskScope {
  /**
   * What a thread had before it entered.
   *
   * @param context the TaskContext
   * @param classLoader the context class loader
   * @param inputFile the input-file holder
   * @param outer what an enclosing enter has saved, or null
   */
  private record Saved(
      TaskContext context, ClassLoader classLoader, Object inputFile, Saved outer) {}

  private final TaskContext context;
  private final ClassLoader classLoader;
  private final Object inputFile;
  private final ThreadLocal<Saved> saved = new ThreadLocal<>();

  private SparkTaskScope(TaskContext context, ClassLoader classLoader, Object inputFile) {
    this.context = context;
    this.classLoader = classLoader;
    this.inputFile = inputFile;
  }

  /**
   * Returns the surroundings of the calling thread, which must be the task thread.
   *
   * @throws IllegalStateException when the thread runs no Spark task
   */
  public static SparkTaskScope current() {
    TaskContext context = TaskContext.get();
    if (context == null) {
      throw new IllegalStateException(
          "thread " + Thread.currentThread().getName() + " runs no Spark task");
    }
    return new SparkTaskScope(
        context, Thread.currentThread().getContextClassLoader(), InputFile.current());
  }

  /** Returns the task. */
  public TaskContext context() {
    return context;
  }

  /** Returns whether the task was killed. */
  public boolean isCancelled() {
    return context.isInterrupted();
  }

  /**
   * Returns the query that the task belongs to. It is equal for all tasks of one SQL execution, or
   * for those of one stage where there is none.
   */
  public String query() {
    String execution = context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    return execution == null ? "stage " + context.stageId() : "query " + execution;
  }

  /** Returns a description of the task: {@code stage S.attempt partition P task T}. */
  public String description() {
    return "stage "
        + context.stageId()
        + "."
        + context.stageAttemptNumber()
        + " partition "
        + context.partitionId()
        + " task "
        + context.taskAttemptId();
  }

  /** Sets the task's surroundings on the calling thread. */
  public void enter() {
    Thread thread = Thread.currentThread();
    saved.set(
        new Saved(
            TaskContext.get(), thread.getContextClassLoader(), InputFile.current(), saved.get()));
    // TaskContext.setTaskContext is protected[spark], but public in bytecode.
    TaskContext$.MODULE$.setTaskContext(context);
    thread.setContextClassLoader(classLoader);
    InputFile.install(inputFile);
  }

  /**
   * Restores what the thread had before {@link #enter}.
   *
   * @throws IllegalStateException when the thread has not entered
   */
  public void exit() {
    Saved before = saved.get();
    if (before == null) {
      throw new IllegalStateException("scope of " + description() + " was not entered");
    }
    if (before.outer == null) {
      saved.remove();
    } else {
      saved.set(before.outer);
    }
    if (before.context == null) {
      TaskContext$.MODULE$.unset();
    } else {
      TaskContext$.MODULE$.setTaskContext(before.context);
    }
    Thread.currentThread().setContextClassLoader(before.classLoader);
    InputFile.install(before.inputFile);
  }
}
