package io.ariadne.io.local;

class TestBufferedReadsWithoutRing extends AbstractTestLinuxFileReader {
  TestBufferedReadsWithoutRing() {
    super(DirectReads.OFF, false);
  }
}
