package io.ariadne.bridge.task;

import java.io.Serializable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Which partition and which file the batches of a fragment's input come from, for Spark code that
 * asks the input-file holder when a later file is being read already.
 *
 * <p>One per fragment, shipped with it; every task has a copy of its own. The task's thread notes
 * files while it reads; any thread looks them up by a batch's place in the input. Nothing is noted
 * unless some code in the fragment may ask.
 */
public final class InputFiles implements Serializable {
  private static final long serialVersionUID = 1L;

  private final InputFiles before;
  private boolean asked;
  private transient int partition;
  private transient int run;
  private transient Object reader;
  private transient volatile ConcurrentSkipListMap<Long, InputFileBlock> fileOfFirst;

  /** Creates it for a fragment in which nobody asks, so far. */
  public InputFiles() {
    this(null);
  }

  private InputFiles(InputFiles before) {
    this.before = before;
  }

  /** Returns what is known of rows behind a breaker: their partition, and no file. */
  public InputFiles behind() {
    return new InputFiles(this);
  }

  /** Says that code in the fragment may ask; on the driver, before the fragment is shipped. */
  public void ask() {
    asked = true;
  }

  /** Returns whether code in the fragment may ask, so that no batch may span two files. */
  public boolean isAsked() {
    return asked;
  }

  /**
   * Notes which partition of the input the task reads, before it reads.
   *
   * @param index its number in the RDD of the fragment's input: not the task's, which numbers the
   *     partitions of a whole stage
   */
  public void beginPartition(int index) {
    partition = index;
    run++;
    fileOfFirst = null;
  }

  /** Returns the number of the partition, in the RDD of the input, that the task reads. */
  public int partition() {
    return before == null ? partition : before.partition();
  }

  /**
   * Returns how many partitions the task has begun: those that Spark coalesces are read one after
   * the other, with one copy of the fragment.
   */
  public int run() {
    return before == null ? run : before.run();
  }

  /**
   * Notes that the task's thread is reading a batch, whose rows are of one file.
   *
   * @param sequence the batch's place in the input
   */
  public void begin(long sequence) {
    if (asked) {
      files().put(sequence, InputFileBlock.current());
    }
  }

  /**
   * Returns whether the task's thread reads another file now than for a batch that was begun.
   *
   * @param sequence the batch's place in the input
   */
  public boolean isOver(long sequence) {
    return asked && !files().get(sequence).isCurrent();
  }

  /**
   * Calls code with the calling thread's holder naming a batch's file.
   *
   * @param sequence the batch's place in the input
   * @param code what may ask
   * @return what the code returns
   */
  public <T> T with(long sequence, Supplier<T> code) {
    var file = asked ? files().floorEntry(sequence) : null;
    if (file == null) {
      return code.get();
    }
    Object before = InputFile.current();
    file.getValue().install();
    try {
      return code.get();
    } finally {
      InputFile.install(before);
    }
  }

  /**
   * Notes the file of a batch that this process reads itself.
   *
   * @param sequence the batch's place in the input
   * @param path the file as Spark's scan would name it
   * @param start first byte of the part that is read
   * @param length its bytes
   */
  public void place(long sequence, String path, long start, long length) {
    if (asked) {
      files().put(sequence, new InputFileBlock(UTF8String.fromString(path), start, length));
    }
  }

  /**
   * Gives the task's thread the holder it reads with, before the input is asked for more: the other
   * half of {@link #nameOutput}.
   */
  public void resumeReading() {
    if (reader != null) {
      InputFile.install(reader);
      reader = null;
    }
  }

  /**
   * Gives the task's thread a holder naming the file of a batch of the output, for Spark's code
   * that gets it.
   *
   * @param sequence the place in the input of the batch it was made of
   */
  public void nameOutput(long sequence) {
    var file = asked ? files().floorEntry(sequence) : null;
    if (file != null) {
      reader = InputFile.current();
      file.getValue().install();
    }
  }

  private ConcurrentSkipListMap<Long, InputFileBlock> files() {
    ConcurrentSkipListMap<Long, InputFileBlock> files = fileOfFirst;
    if (files == null) {
      synchronized (this) {
        files = fileOfFirst;
        if (files == null) {
          files = new ConcurrentSkipListMap<>();
          fileOfFirst = files;
        }
      }
    }
    return files;
  }
}
