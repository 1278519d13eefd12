// What the string of a row says; shared by all targets.
#pragma once

#include "text/parse_floats.cuh"
#include "text/parse_times.cuh"

namespace text {

// What a string says, if it does: a decimal's unscaled value, else 64 bits.
template <u32 Type>
struct parsed_value {
  i64 value;
};
template <>
struct parsed_value<PARSE_DECIMAL> {
  i128 value;
};

template <u32 Type, typename A>
ARIADNE_INLINE parsing parse(const parse_text_args& args, A& a, parsed_value<Type>& result) {
  if constexpr (Type == PARSE_BOOLEAN) {
    return parse_boolean(a, result.value);
  } else if constexpr (Type == PARSE_INTEGER || Type == PARSE_WHOLE) {
    const u32 bits = column::width_in_bytes(args.kind) * 8;
    return parse_integer(a, Type == PARSE_INTEGER, bits, result.value);
  } else if constexpr (Type == PARSE_DECIMAL) {
    return parse_decimal(a, args.precision, args.scale, result.value);
  } else if constexpr (Type == PARSE_DATE) {
    return parse_date(a, result.value);
  } else if constexpr (Type == PARSE_TIMESTAMP) {
    return parse_timestamp(a, element::to_step_function(args.zone, args.zone_length), result.value);
  } else if constexpr (Type == PARSE_FLOATING) {
    u64 bits = 0;
    const parsing outcome = parse_floating(a, args.kind == column_kind::f32, bits);
    result.value = static_cast<i64>(bits);
    return outcome;
  } else {
    return parse_local_timestamp(a, result.value);
  }
}

// Reports a row whose string says nothing; `row` is not null.
ARIADNE_INLINE void report(const parse_text_args& args, u32 row, parsing outcome) {
  if (outcome == parsing::unknown) {
    status::raise(args.status, row, 0, PARSE_ERROR_UNKNOWN);
  } else if (outcome == parsing::malformed && args.raises != 0) {
    status::raise(args.status, row, 0, PARSE_ERROR_MALFORMED);
  }
}

template <u32 Type>
ARIADNE_INLINE void write(const parse_text_args& args, u32 row, const parsed_value<Type>& result) {
  if constexpr (Type == PARSE_DECIMAL) {
    if (args.kind == column_kind::i128) {
      u64x2 halves;
      halves.x = static_cast<u64>(result.value);
      halves.y = static_cast<u64>(result.value >> 64);
      target::store(static_cast<u64x2*>(args.out) + row, halves);
      return;
    }
  }
  switch (args.kind) {
    case column_kind::i8:
      target::store(static_cast<i8*>(args.out) + row, static_cast<i8>(result.value));
      break;
    case column_kind::i16:
      target::store(static_cast<i16*>(args.out) + row, static_cast<i16>(result.value));
      break;
    case column_kind::i32:
    case column_kind::f32:
      target::store(static_cast<i32*>(args.out) + row, static_cast<i32>(result.value));
      break;
    default:
      target::store(static_cast<i64*>(args.out) + row, static_cast<i64>(result.value));
  }
}

// Calls body(constant) with the type as a constant.
template <typename Body>
ARIADNE_INLINE void with_type(u32 type, Body body) {
  switch (type) {
    case PARSE_BOOLEAN:
      body(parsed_value<PARSE_BOOLEAN>{});
      break;
    case PARSE_INTEGER:
      body(parsed_value<PARSE_INTEGER>{});
      break;
    case PARSE_WHOLE:
      body(parsed_value<PARSE_WHOLE>{});
      break;
    case PARSE_DECIMAL:
      body(parsed_value<PARSE_DECIMAL>{});
      break;
    case PARSE_DATE:
      body(parsed_value<PARSE_DATE>{});
      break;
    case PARSE_TIMESTAMP:
      body(parsed_value<PARSE_TIMESTAMP>{});
      break;
    case PARSE_FLOATING:
      body(parsed_value<PARSE_FLOATING>{});
      break;
    default:
      body(parsed_value<PARSE_LOCAL_TIMESTAMP>{});
  }
}

}  // namespace text
