// Bit strings on the host: counting, and appending to words that were zero.
#pragma once

#include "parquet/task.cuh"

namespace parquet {

// `count` bits, 1 to 64, from bit `bit` of `from` on; reads no byte without one of them.
ARIADNE_INLINE u64 load_bits(const u8* from, u64 bit, u32 count) {
  const u8* at = from + bit / 8;
  const u32 shift = bit % 8;
  const u32 bytes = (shift + count + 7) / 8;
  u64 word = load_bytes(at, bytes) >> shift;
  if (bytes > 8) {
    word |= static_cast<u64>(at[8]) << (64 - shift);
  }
  return word & (~u64{0} >> (64 - count));
}

ARIADNE_INLINE u64 count_bits(const u8* from, u64 bit, u32 count) {
  u64 ones = 0;
  for (; count >= 64; bit += 64, count -= 64) {
    ones += static_cast<u64>(__builtin_popcountll(load_bits(from, bit, 64)));
  }
  return count == 0 ? ones
                    : ones + static_cast<u64>(__builtin_popcountll(load_bits(from, bit, count)));
}

// Appends bits from bit `at` of `words` on, counting those that are set. Sets bits only.
class bit_writer {
 public:
  ARIADNE_MEMBER bit_writer(void* words, u64 at)
      : word_(static_cast<u64*>(words) + at / 64), fill_(at % 64) {}

  // `count` is 1 to 64; the bits behind it are zero.
  ARIADNE_MEMBER void append(u64 bits, u32 count) {
    ones_ += static_cast<u64>(__builtin_popcountll(bits));
    push(bits, count);
  }

  ARIADNE_MEMBER void append_repeated(bool bit, u32 count) {
    if (bit) {
      ones_ += count;
      append_ones(count);
    } else {
      const u64 end = fill_ + static_cast<u64>(count);
      if (end >= 64) {
        flush();
        word_ += end / 64;
      }
      fill_ = end % 64;
    }
  }

  ARIADNE_MEMBER void append_from(const u8* from, u64 bit, u32 count) {
    for (; count >= 64; bit += 64, count -= 64) {
      append(load_bits(from, bit, 64), 64);
    }
    if (count > 0) {
      append(load_bits(from, bit, count), count);
    }
  }

  // Writes what is pending; nothing may be appended afterwards.
  ARIADNE_MEMBER void finish() {
    if (pending_ != 0) {
      flush();
    }
  }

  ARIADNE_MEMBER u64 ones() const { return ones_; }

 private:
  ARIADNE_MEMBER void flush() {
    *word_ |= pending_;
    pending_ = 0;
  }

  ARIADNE_MEMBER void push(u64 bits, u32 count) {
    pending_ |= bits << fill_;
    if (fill_ + count < 64) {
      fill_ += count;
      return;
    }
    flush();
    word_++;
    pending_ = fill_ == 0 ? 0 : bits >> (64 - fill_);
    fill_ = fill_ + count - 64;
  }

  ARIADNE_MEMBER void append_ones(u32 count) {
    const u32 head = count < 64 - fill_ ? count : 64 - fill_;
    if (head > 0) {
      push(~u64{0} >> (64 - head), head);
      count -= head;
    }
    const u32 whole = count / 64;
    if (whole > 0) {
      __builtin_memset(word_, 0xff, static_cast<u64>(whole) * 8);
      word_ += whole;
    }
    if (count % 64 > 0) {
      push(~u64{0} >> (64 - count % 64), count % 64);
    }
  }

  u64* word_;
  u64 pending_ = 0;
  u64 ones_ = 0;
  u32 fill_;
};

}  // namespace parquet
