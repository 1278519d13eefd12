package io.ariadne.benchmark.engine;

import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.internal.io.FileNameSpec;
import org.apache.spark.internal.io.HadoopMapReduceCommitProtocol;
import scala.Option;

/**
 * Writes files under their final names, for stores in which a file appears as a whole when it is
 * closed, such as S3. Spark's own protocol renames files, which copies every byte in a store.
 *
 * <p>The attempts of a task have the same names, so that a later one replaces the file of an
 * earlier one. That is wrong when attempts overlap: the protocol refuses speculation. The folder
 * must be new, because the files of a failed job are deleted with it.
 */
public final class DirectCommitProtocol extends HadoopMapReduceCommitProtocol {
  @Serial private static final long serialVersionUID = 1;

  private final String folder;

  /** The files of this task. */
  private transient List<Path> files;

  /** Called by Spark, by reflection. */
  public DirectCommitProtocol(String jobId, String folder, boolean dynamicPartitionOverwrite) {
    super(jobId, folder, false);
    if (dynamicPartitionOverwrite) {
      throw new IllegalArgumentException(
          "files of " + folder + " have their final names: it cannot be overwritten by partitions");
    }
    this.folder = folder;
  }

  @Override
  public OutputCommitter setupCommitter(TaskAttemptContext context) {
    return new NoCommitter();
  }

  @Override
  public void setupJob(JobContext context) {
    if (SparkEnv.get().conf().getBoolean("spark.speculation", false)) {
      throw new IllegalStateException(
          "spark.speculation: two attempts would write the same file of " + folder);
    }
    super.setupJob(context);
  }

  @Override
  public void setupTask(TaskAttemptContext context) {
    super.setupTask(context);
    files = new ArrayList<>();
  }

  @Override
  public String newTaskTempFile(
      TaskAttemptContext context, Option<String> subfolder, FileNameSpec spec) {
    Path parent = subfolder.isEmpty() ? new Path(folder) : new Path(folder, subfolder.get());
    Path file = new Path(parent, getFilename(context, spec));
    files.add(file);
    return file.toString();
  }

  @Override
  public void abortTask(TaskAttemptContext context) {
    super.abortTask(context);
    files.forEach(file -> delete(file, context));
  }

  @Override
  public void abortJob(JobContext context) {
    super.abortJob(context);
    delete(new Path(folder), context);
  }

  private static void delete(Path path, JobContext context) {
    try {
      path.getFileSystem(context.getConfiguration()).delete(path, true);
    } catch (IOException e) {
      throw new UncheckedIOException("a failed write has left " + path, e);
    }
  }

  /** Has nothing to do. */
  private static final class NoCommitter extends OutputCommitter {
    @Override
    public void setupJob(JobContext context) {}

    @Override
    public void setupTask(TaskAttemptContext context) {}

    @Override
    public boolean needsTaskCommit(TaskAttemptContext context) {
      return false;
    }

    @Override
    public void commitTask(TaskAttemptContext context) {}

    @Override
    public void abortTask(TaskAttemptContext context) {}
  }
}
