package io.ariadne.plugin.config;

import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressionPolicy;
import io.ariadne.shuffle.codec.MeasuredCompression;
import java.util.function.Supplier;

/** Which blocks Ariadne's transport compresses. */
public enum ShuffleCompression {
  /** Those that arrive earlier for it, by the measured rates of the link and of the codecs. */
  AUTO(MeasuredCompression::new),
  /** None. */
  NONE(() -> CompressionPolicy.always(Codec.NONE)),
  /** All, by LZ4. */
  LZ4(() -> CompressionPolicy.always(Codec.LZ4)),
  /** All, by Zstandard at level 1. */
  ZSTD(() -> CompressionPolicy.always(Codec.ZSTD));

  private final Supplier<CompressionPolicy> policy;

  ShuffleCompression(Supplier<CompressionPolicy> policy) {
    this.policy = policy;
  }

  /** Returns a new policy of this kind. */
  public CompressionPolicy policy() {
    return policy.get();
  }
}
