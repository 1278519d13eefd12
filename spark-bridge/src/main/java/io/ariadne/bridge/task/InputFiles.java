package io.ariadne.bridge.task;

import java.io.Serializable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Records the partition and the file of each batch of a fragment's input, for Spark code that asks
 * for the input file when the task already reads a later file.
 *
 * <p>One per fragment, shipped with it; every task has its own copy. The task thread records files
 * while it reads. Any thread looks them up by a batch's sequence number. Nothing is recorded unless
 * some code in the fragment may ask.
 */
public final class InputFiles implements Serializable {
  private static final long serialVersionUID = 1L;

  private final InputFiles before;
  private boolean asked;
  private transient int partition;
  private transient int run;
  private transient Object reader;
  private transient volatile ConcurrentSkipListMap<Long, InputFileBlock> fileOfFirst;

  /** Creates an object for a fragment in which no code asks so far. */
  public InputFiles() {
    this(null);
  }

  private InputFiles(InputFiles before) {
    this.before = before;
  }

  /** Returns the object for rows after a breaker: their partition is known, but not their file. */
  public InputFiles behind() {
    return new InputFiles(this);
  }

  /**
   * Declares that code in the fragment may ask. Called on Spark's driver, before the fragment is
   * shipped.
   */
  public void ask() {
    asked = true;
  }

  /** Returns whether code in the fragment may ask, so that no batch may span two files. */
  public boolean isAsked() {
    return asked;
  }

  /**
   * Records which partition of the input the task reads, before it reads.
   *
   * @param index index in the RDD of the fragment's input. It differs from the task's partition,
   *     which is an index in the stage's last RDD.
   */
  public void beginPartition(int index) {
    partition = index;
    run++;
    fileOfFirst = null;
  }

  /** Returns the index, in the RDD of the input, of the partition that the task reads. */
  public int partition() {
    return before == null ? partition : before.partition();
  }

  /**
   * Returns how many partitions the task has begun. Partitions that Spark coalesces are read one
   * after the other, with one copy of the fragment.
   */
  public int run() {
    return before == null ? run : before.run();
  }

  /**
   * Records that the task thread begins to read a batch, whose rows are from one file.
   *
   * @param sequence sequence number of the batch in the input
   */
  public void begin(long sequence) {
    if (asked) {
      files().put(sequence, InputFileBlock.current());
    }
  }

  /**
   * Returns whether the task thread now reads another file than that of a batch that was begun.
   *
   * @param sequence sequence number of the batch in the input
   */
  public boolean readsAnotherFile(long sequence) {
    return asked && !files().get(sequence).isCurrent();
  }

  /**
   * Calls code that may ask for the current input file, and answers with the file of a batch: sets
   * Spark's holder of the calling thread to that file during the call.
   *
   * @param sequence sequence number of the batch in the input
   * @param code code that may ask for the file
   * @return the result of the code
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
   * Records the file of a batch that this process reads itself.
   *
   * @param sequence sequence number of the batch in the input
   * @param path the file as Spark's scan would name it
   * @param start first byte of the part that is read
   * @param length number of bytes
   */
  public void place(long sequence, String path, long start, long length) {
    if (asked) {
      files().put(sequence, new InputFileBlock(UTF8String.fromString(path), start, length));
    }
  }

  /**
   * Restores the holder with which the task thread reads, before the input is asked for more.
   * Undoes {@link #nameOutput}.
   */
  public void resumeReading() {
    if (reader != null) {
      InputFile.install(reader);
      reader = null;
    }
  }

  /**
   * Gives the task thread a holder with the file of an output batch, for the Spark code that
   * receives the batch.
   *
   * @param sequence sequence number in the input of the batch that it was made from
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
