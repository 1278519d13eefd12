package io.ariadne.io.local;

class TestDirectReads extends AbstractTestLinuxFileReader {
  TestDirectReads() {
    super(DirectReads.ON, true);
  }
}
