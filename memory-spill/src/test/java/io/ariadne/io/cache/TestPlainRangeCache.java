package io.ariadne.io.cache;

class TestPlainRangeCache extends AbstractTestRangeCache {
  @Override
  RangeCacheConfig config(RangeCacheConfig plain) {
    return plain;
  }
}
