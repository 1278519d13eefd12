package io.ariadne.shuffle.format;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.shuffle.codec.Codec;

/**
 * Turns batches into blocks of bytes and back. Stateless, thread-safe.
 *
 * <p>A block carries layouts, row count, buffer lengths, codec and checksum; not the schema, which
 * both sides have from the plan. Buffers lie in it as they lie in memory, so that without a codec
 * decoding is one copy per buffer. Nothing read from a block is trusted: every length and offset is
 * checked before it is used.
 */
public interface BatchEncoder {
  /**
   * Returns bytes a block of this batch takes at most, header included.
   *
   * @param batch in HOST or PINNED memory
   * @param codec what it will be compressed with
   */
  long maxEncodedBytes(RecordBatch batch, Codec codec);

  /**
   * Writes a block. Only the live part of string heaps is written.
   *
   * @param batch in HOST or PINNED memory; stays owned by the caller
   * @param codec what to compress buffers with; a buffer that does not shrink is stored as it is
   * @param target where the block goes; at least {@link #maxEncodedBytes} from the offset
   * @param targetOffset first byte, a multiple of 64
   * @return bytes written, a multiple of 64
   */
  long encode(RecordBatch batch, Codec codec, MemoryBuffer target, long targetOffset);

  /**
   * Reads a block.
   *
   * @param source bytes that need not be a block
   * @param sourceOffset first byte, a multiple of 64
   * @param lengthInBytes bytes of the block
   * @param schema its columns
   * @param allocator where the batch's buffers come from
   * @return a batch owned by the caller, equal to the encoded one in every bit of its values
   * @throws io.ariadne.error.EngineException CORRUPT_DATA with offset and reason; OUT_OF_MEMORY
   *     when the allocator refuses
   */
  RecordBatch decode(
      MemoryBuffer source,
      long sourceOffset,
      long lengthInBytes,
      Schema schema,
      BufferAllocator allocator);
}
