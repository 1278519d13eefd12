package io.ariadne.bridge.expression;

import io.ariadne.bridge.UndeclaredExceptions;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Serialises Spark's objects to bytes, from which every user makes its own copy. */
final class JavaSerialization {
  private JavaSerialization() {}

  /**
   * Serialises an object. If user code cannot be serialised, the error has Spark's class and text
   * ({@code SparkClosureCleaner}).
   */
  static byte[] of(Object object) {
    try {
      ByteBuffer buffer = serializer().serialize(object, tag(Object.class));
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    } catch (Exception e) { // Scala does not declare the exceptions it throws
      throw UndeclaredExceptions.raise(
          e instanceof NotSerializableException
              ? new SparkException("Task not serializable", e)
              : e);
    }
  }

  /** Returns a copy. Its classes are loaded by the thread's context class loader. */
  static <T> T copy(byte[] bytes, Class<T> type) {
    return serializer()
        .<T>deserialize(
            ByteBuffer.wrap(bytes), Thread.currentThread().getContextClassLoader(), tag(type));
  }

  private static <T> ClassTag<T> tag(Class<T> type) {
    return ClassTag$.MODULE$.apply(type);
  }

  private static SerializerInstance serializer() {
    return new JavaSerializer(new SparkConf(false)).newInstance();
  }
}
