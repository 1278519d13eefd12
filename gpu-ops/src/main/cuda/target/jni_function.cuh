// Declares the functions of one Java class that native code implements, without jni.h: an exported
// function whose name and argument types are what the JVM expects of a static native method.
//
// Define JNI_CLASS before: the class with its package, joined by underscores.
#pragma once

#define JNI_SYMBOL(CLASS, NAME) Java_##CLASS##_##NAME
#define JNI_SYMBOL_OF(CLASS, NAME) JNI_SYMBOL(CLASS, NAME)
#define JNI_FUNCTION(RESULT, NAME)                         \
  extern "C" __attribute__((visibility("default"))) RESULT \
  JNI_SYMBOL_OF(JNI_CLASS, NAME)

using jni_environment = void*;
using jni_class = void*;
