package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.shuffle.transport.ReplyBytes;
import java.util.Arrays;
import java.util.List;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpRequest;

/** The parts of a reply that have come. Owns their memory. Used by the thread of UCX. */
final class PartialReply implements AutoCloseable {
  private final MemoryBuffer[] parts;
  private final UcxLoop loop;
  private final PartArrivals arrivals;
  private final Listener listener;
  private long bytes;
  private int missing;
  private int receiving;

  /** Whether the reply is not wanted any more; memory is freed when no receive writes to it. */
  private boolean isGivenUp;

  /** Learns of the parts, unless the reply is given up. */
  interface Listener {
    /** A part is there. */
    void arrived();

    /** A part does not come. */
    void failed(String message);
  }

  /**
   * Creates a reply without parts.
   *
   * @param count how many parts it has
   * @param loop runs the callbacks of UCX
   * @param arrivals measures how fast parts arrive
   * @param listener learns of the parts
   */
  PartialReply(int count, UcxLoop loop, PartArrivals arrivals, Listener listener) {
    parts = new MemoryBuffer[count];
    missing = count;
    this.loop = loop;
    this.arrivals = arrivals;
    this.listener = listener;
  }

  /**
   * Receives a part. After an exception no receive of it is under way.
   *
   * @param maxBytes bytes of all parts at most
   * @throws IllegalArgumentException when the part does not fit the others
   */
  void receive(ReplyPart part, UcpAmData data, long maxBytes, BufferAllocator allocator) {
    long length = data.getLength();
    if (part.count() != parts.length || parts[part.part()] != null || length < 1) {
      throw new IllegalArgumentException(part + " of " + length + " bytes does not fit the reply");
    }
    if (length > maxBytes - bytes) {
      throw new IllegalArgumentException("a reply has more than " + maxBytes + " bytes");
    }
    MemoryBuffer target = allocator.allocate(length);
    parts[part.part()] = target;
    bytes += length;
    if (data.isDataValid()) {
      Memory.copy(data.getDataAddress(), target.address(), length);
      arrivals.arrivedAtOnce(length);
      arrived();
    } else {
      fetch(data, target);
    }
  }

  private void fetch(UcpAmData data, MemoryBuffer target) {
    Receive receive = new Receive(data.getLength());
    try {
      var unused = data.receive(target.address(), receive);
    } catch (RuntimeException | Error e) {
      var unused = receive.ends(0);
      throw e;
    }
  }

  /** One receive of UCX, which ends once. */
  private final class Receive extends UcxCallback {
    private final long length;
    private boolean isOver;

    Receive(long length) {
      this.length = length;
      receiving++;
      arrivals.begins();
    }

    /** Returns whether this was under way. */
    boolean ends(long arrivedBytes) {
      if (isOver) {
        return false;
      }
      isOver = true;
      receiving--;
      arrivals.ends(arrivedBytes);
      return true;
    }

    @Override
    public void onSuccess(UcpRequest request) {
      loop.guard(
          () -> {
            if (ends(length)) {
              arrived();
            }
          });
    }

    @Override
    public void onError(int status, String message) {
      loop.guard(
          () -> {
            if (ends(0)) {
              failed(message);
            }
          });
    }
  }

  private void arrived() {
    if (isGivenUp) {
      free();
      return;
    }
    missing--;
    listener.arrived();
  }

  private void failed(String message) {
    if (isGivenUp) {
      free();
    } else {
      listener.failed(message);
    }
  }

  boolean isComplete() {
    return missing == 0;
  }

  /** Returns the bytes of a complete reply, and passes the ownership of their memory to them. */
  ReplyBytes take() {
    ReplyBytes bytes = ReplyBytes.owning(List.of(parts));
    Arrays.fill(parts, null);
    return bytes;
  }

  /**
   * Decrypts the parts of a complete reply where they are.
   *
   * @return whether all of them were encrypted by this key
   */
  boolean open(SessionKey key, long number) {
    for (int i = 0; i < parts.length; i++) {
      MemoryBuffer part = parts[i];
      int sealedBytes = Math.toIntExact(part.lengthInBytes());
      int plainBytes = sealedBytes - SessionKey.TAG_BYTES;
      if (plainBytes < 1
          || !key.open(
              SessionKey.Direction.REPLY,
              number,
              i,
              Memory.byteBuffer(part.address(), sealedBytes),
              Memory.byteBuffer(part.address(), plainBytes))) {
        return false;
      }
      parts[i] = part.withLength(plainBytes);
    }
    return true;
  }

  /** Frees the memory, as soon as UCX does not write to it any more. */
  void giveUp() {
    isGivenUp = true;
    free();
  }

  private void free() {
    if (receiving == 0) {
      for (MemoryBuffer part : parts) {
        if (part != null) {
          part.close();
        }
      }
      Arrays.fill(parts, null);
    }
  }

  @Override
  public void close() {
    giveUp();
  }
}
