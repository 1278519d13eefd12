// Message building without libc.
#pragma once

#include "target/types.cuh"

namespace emulator {

struct hexadecimal {
  u64 value;
};

// Appends to a fixed buffer and cuts what does not fit; always NUL-terminated.
class text {
 public:
  text(char* buffer, u32 bytes) : at_(buffer), last_(buffer + bytes - 1) { *at_ = 0; }

  text& operator<<(const char* string) {
    while (*string != 0) {
      put(*string++);
    }
    return *this;
  }

  text& operator<<(u64 value) { return number(value, 10); }
  text& operator<<(u32 value) { return number(value, 10); }
  text& operator<<(hexadecimal number_value) {
    *this << "0x";
    return number(number_value.value, 16);
  }

 private:
  void put(char c) {
    if (at_ < last_) {
      *at_++ = c;
      *at_ = 0;
    }
  }

  text& number(u64 value, u32 base) {
    char digits[20];
    u32 count = 0;
    do {
      digits[count++] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value != 0);
    while (count > 0) {
      put(digits[--count]);
    }
    return *this;
  }

  char* at_;
  char* last_;
};

}  // namespace emulator
