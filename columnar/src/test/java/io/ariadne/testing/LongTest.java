package io.ariadne.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class of the top level, or a test, that takes tens of seconds and whose subject other
 * tests of the build touch, too: a build runs some of these; see {@link TestShare}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LongTest {}
