// DELTA_LENGTH_BYTE_ARRAY to string views: the lengths as a DELTA_BINARY_PACKED stream, then all
// bytes without gaps. Values of up to 12 bytes are copied into their views, longer ones stay.
//
// The lengths are read twice: their headers tell where the bytes begin, then they are decoded and
// summed. Host: chunk by chunk. GPU: a warp takes a task, 32 values at a time.
//
// Source: Apache Parquet format, Encodings.md, "Delta-length byte array".
#pragma once

#include "parquet/binary.cuh"
#include "parquet/delta_stream.cuh"
#include "parquet/view.cuh"

// Task: out = string_view*; aux = heap number << 32 | byte offset of `data` in that heap, which is
// shorter than 2^31. Errors: those of parquet_delta; LENGTH at the byte where the value begins.
struct parquet_delta_length_args {
  kernel_status* status;
  const parquet_task* tasks;
  parquet_binary_result* results;  // one per task
  u32 task_count;
  u32 reserved;
};

namespace delta {

// Opens a stream of at least `count` values and finds its end.
template <typename Source>
ARIADNE_FUNCTION failure open_whole(Source& source, u64 at, u64 count, stream& s, u64& end) {
  failure failed = open(source, at, s);
  if (failed.code == 0 && count > s.values) {
    failed = {PARQUET_ERROR_TRUNCATED, source.bytes};
  }
  if (failed.code == 0) {
    stream passed = s;
    failed = pass_over(source, passed);
    end = passed.end;
  }
  return failed;
}

}  // namespace delta

#include ARIADNE_TARGET_FILE(parquet, delta_length)
