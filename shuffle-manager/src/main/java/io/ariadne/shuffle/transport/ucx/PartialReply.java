package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpRequest;

/** The parts of a reply that have come. Owns their memory. Used by the thread of UCX. */
final class PartialReply implements AutoCloseable {
  private final MemoryBuffer[] parts;
  private long bytes;
  private int missing;
  private int receiving;

  /** Whether the reply is not wanted any more; memory is freed when no receive writes to it. */
  private boolean isGivenUp;

  /** Learns of each part. */
  interface Listener {
    /** A part of so many bytes is there. */
    void arrived(long lengthInBytes);

    /** A part does not come. */
    void failed(String message);
  }

  PartialReply(int count) {
    parts = new MemoryBuffer[count];
    missing = count;
  }

  /**
   * Receives a part. Parts of a reply that is given up are ignored.
   *
   * @param maxBytes bytes of all parts at most
   * @throws IllegalArgumentException when the part does not fit the others
   */
  void receive(
      ReplyPart part, UcpAmData data, long maxBytes, BufferAllocator allocator, Listener listener) {
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
      arrived(length, listener);
      return;
    }
    receiving++;
    var unused =
        data.receive(
            target.address(),
            new UcxCallback() {
              @Override
              public void onSuccess(UcpRequest request) {
                receiving--;
                arrived(length, listener);
              }

              @Override
              public void onError(int status, String message) {
                receiving--;
                if (isGivenUp) {
                  free();
                } else {
                  listener.failed(message);
                }
              }
            });
  }

  private void arrived(long length, Listener listener) {
    if (isGivenUp) {
      free();
      return;
    }
    missing--;
    listener.arrived(length);
  }

  boolean isComplete() {
    return missing == 0;
  }

  /** Returns the bytes, when they are complete; valid until this is closed. */
  List<ByteBuffer> pieces() {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (MemoryBuffer part : parts) {
      pieces.add(Memory.byteBuffer(part.address(), (int) part.lengthInBytes()));
    }
    return pieces;
  }

  /** Returns the decrypted bytes; null when they were not encrypted by this key. */
  List<ByteBuffer> opened(SessionKey key, long number) {
    List<ByteBuffer> opened = new ArrayList<>();
    List<ByteBuffer> sealed = pieces();
    for (int i = 0; i < sealed.size(); i++) {
      ByteBuffer plain = key.open(SessionKey.Direction.REPLY, number, i, sealed.get(i));
      if (plain == null) {
        return null;
      }
      opened.add(plain);
    }
    return opened;
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
