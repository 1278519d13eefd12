package io.ariadne.parquet.metadata;

/** What the values of a field mean beyond their physical type. */
public enum LogicalKind {
  /** Nothing beyond the physical type. */
  NONE,
  /** UTF-8 text. */
  STRING,
  /** A map: a group around a repeated group of key and value. */
  MAP,
  /** The repeated group of a map, deprecated. */
  MAP_KEY_VALUE,
  /** A list: a group around a repeated field. */
  LIST,
  /** UTF-8 text from a fixed set. */
  ENUM,
  /** A decimal number. */
  DECIMAL,
  /** Days since 1970-01-01. */
  DATE,
  /** Time of day. */
  TIME,
  /** Date and time of day. */
  TIMESTAMP,
  /** An integer with a width and a sign. */
  INTEGER,
  /** Months, days and milliseconds in 12 bytes. */
  INTERVAL,
  /** A column of nulls only. */
  UNKNOWN,
  /** A JSON document. */
  JSON,
  /** A BSON document. */
  BSON,
  /** 16 bytes. */
  UUID,
  /** IEEE 754 half precision in two bytes. */
  FLOAT16,
  /** A semi-structured value: a group of the value and its metadata. */
  VARIANT,
  /** Well-known binary geometry in a plane. */
  GEOMETRY,
  /** Well-known binary geometry on a sphere. */
  GEOGRAPHY,
  /** An annotation this reader does not know. */
  UNRECOGNISED
}
