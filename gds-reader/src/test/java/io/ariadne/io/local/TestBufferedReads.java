package io.ariadne.io.local;

class TestBufferedReads extends AbstractTestLinuxFileReader {
  TestBufferedReads() {
    super(DirectReads.OFF, true);
  }
}
