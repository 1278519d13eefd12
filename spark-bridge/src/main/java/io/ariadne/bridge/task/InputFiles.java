package io.ariadne.bridge.task;

import java.io.Serializable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * Which file the batches of a fragment's input come from, for Spark code that asks the input-file
 * holder when a later file is being read already.
 *
 * <p>One per fragment, shipped with it; every task has a copy of its own. The task's thread notes
 * files while it reads; any thread looks them up by a batch's place in the input. Nothing is noted
 * unless some code in the fragment may ask.
 */
public final class InputFiles implements Serializable {
  private static final long serialVersionUID = 1L;

  private boolean asked;
  private transient volatile ConcurrentSkipListMap<Long, InputFileBlock> fileOfFirst;

  /** Creates it for a fragment in which nobody asks, so far. */
  public InputFiles() {}

  /** Says that code in the fragment may ask; on the driver, before the fragment is shipped. */
  public void ask() {
    asked = true;
  }

  /** Returns whether code in the fragment may ask, so that no batch may span two files. */
  public boolean isAsked() {
    return asked;
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
