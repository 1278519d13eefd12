package io.ariadne.bridge.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.NotSerializableException;
import java.util.List;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

class TestJavaSerialization {
  @Test
  void makesCopies() {
    List<String> list = List.of("a", "b");
    assertEquals(list, JavaSerialization.copy(JavaSerialization.of(list), List.class));
  }

  @Test
  void raisesSparksErrorForWhatCannotBeSerialised() {
    SparkException e = assertThrows(SparkException.class, () -> JavaSerialization.of(new Object()));
    assertEquals("Task not serializable", e.getMessage());
    assertInstanceOf(NotSerializableException.class, e.getCause());
  }
}
