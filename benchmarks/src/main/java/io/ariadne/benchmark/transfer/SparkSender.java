package io.ariadne.benchmark.transfer;

import java.nio.ByteBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.netty.NettyBlockTransferService;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;

/** Serves blocks by Spark's block transfer, from direct memory and without a copy. */
final class SparkSender implements TransferSender {
  private final ByteBuffer[] contents;
  private final NettyBlockTransferService service;

  SparkSender(String host, Payload payload) {
    contents = new ByteBuffer[payload.contents().length];
    for (int i = 0; i < contents.length; i++) {
      contents[i] = ByteBuffer.allocateDirect(payload.blockBytes()).put(payload.content(i)).flip();
    }
    service = SparkParts.transfer(host, this::block);
  }

  private ManagedBuffer block(BlockId id) {
    int content = (int) (((ShuffleBlockId) id).mapId() % contents.length);
    return new NioManagedBuffer(contents[content].duplicate());
  }

  @Override
  public int port() {
    return service.port();
  }

  @Override
  public void close() {
    service.close();
  }
}
