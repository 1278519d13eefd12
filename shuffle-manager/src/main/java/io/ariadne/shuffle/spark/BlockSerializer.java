package io.ariadne.shuffle.spark;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/**
 * Serializes the records of a shuffle of blocks: writes the blocks of {@link MapRows} and reads
 * {@link BlockInput}s, in the layout of {@link BlockStreams}. Keys, which are partition numbers,
 * are not written. Spark may split streams between blocks and concatenate the parts in any order.
 */
final class BlockSerializer extends Serializer implements Serializable {
  private static final long serialVersionUID = 1L;

  @Override
  public SerializerInstance newInstance() {
    return new Instance();
  }

  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return true;
  }

  private static final class Instance extends SerializerInstance {
    @Override
    public SerializationStream serializeStream(OutputStream out) {
      return new Output(out);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream in) {
      return new Input(in);
    }

    @Override
    public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
      throw notStreamed();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
      throw notStreamed();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
      throw notStreamed();
    }
  }

  private static UnsupportedOperationException notStreamed() {
    return new UnsupportedOperationException(
        "blocks are serialized only as keys and values of streams");
  }

  private static final class Output extends SerializationStream {
    private final DataOutputStream out;
    private final long mapId;
    private final BlockStreams streams = new BlockStreams();

    Output(OutputStream out) {
      this.out = new DataOutputStream(out);
      TaskContext context = TaskContext.get();
      this.mapId = context == null ? Long.MAX_VALUE : context.taskAttemptId();
    }

    @Override
    public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
      return this;
    }

    @Override
    public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
      try {
        streams.write(out, ((MapRows) value).block(), mapId);
      } catch (IOException e) {
        throw UndeclaredExceptions.raise(e);
      }
      return this;
    }

    @Override
    public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
      throw notStreamed();
    }

    @Override
    public void flush() {
      try {
        out.flush();
      } catch (IOException e) {
        throw UndeclaredExceptions.raise(e);
      }
    }

    @Override
    public void close() {
      try {
        out.close();
      } catch (IOException e) {
        throw UndeclaredExceptions.raise(e);
      }
    }
  }

  /** Reads the bytes of blocks from a stream. */
  private static final class Source implements BlockInput.Source {
    private final DataInputStream in;
    private final BlockStreams streams = new BlockStreams();

    Source(DataInputStream in) {
      this.in = in;
    }

    @Override
    public byte[] readHeader(int count) throws IOException {
      byte[] header = new byte[count];
      in.readFully(header);
      return header;
    }

    @Override
    public MemoryBuffer take(byte[] header, long lengthInBytes, BufferAllocator allocator)
        throws IOException {
      MemoryBuffer bytes = allocator.allocate(lengthInBytes);
      boolean isRead = false;
      try {
        Memory.copy(header, 0, bytes.address(), header.length);
        streams.read(in, bytes.address() + header.length, lengthInBytes - header.length);
        isRead = true;
        return bytes;
      } finally {
        if (!isRead) { // no catch block: Spark also throws checked exceptions undeclared
          bytes.close();
        }
      }
    }
  }

  private static final class Input extends DeserializationStream {
    private final DataInputStream in;
    private final BlockInput block;

    Input(InputStream in) {
      this.in = new DataInputStream(in);
      this.block = new BlockInput(new Source(this.in));
    }

    @Override
    public <T> T readKey(ClassTag<T> tag) {
      return null;
    }

    /** Throws an {@link EOFException} at the end of the stream, as Spark's iterator expects. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> T readValue(ClassTag<T> tag) {
      try {
        int first = in.read();
        if (first < 0) {
          throw new EOFException();
        }
        block.begin(number(first), number(in.read()));
        return (T) block;
      } catch (IOException e) {
        throw UndeclaredExceptions.raise(e);
      }
    }

    private long number(int first) throws IOException {
      long number = first;
      for (int i = 1; i < Long.BYTES && number >= 0; i++) {
        number = (number << Byte.SIZE) | in.read();
      }
      if (number < 0) {
        throw new IOException("the stream of a shuffle is damaged, or ends, before a block");
      }
      return number;
    }

    @Override
    public <T> T readObject(ClassTag<T> tag) {
      throw notStreamed();
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw UndeclaredExceptions.raise(e);
      }
    }
  }
}
