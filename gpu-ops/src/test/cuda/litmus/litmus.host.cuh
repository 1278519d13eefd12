// The host runs a kernel on one thread: nothing to test there.
#pragma once

namespace litmus {

template <typename Arguments>
ARIADNE_FUNCTION void message_passing(const Arguments&) {}
template <typename Arguments>
ARIADNE_FUNCTION void look_back(const Arguments&) {}
template <typename Arguments>
ARIADNE_FUNCTION void insert_then_probe(const Arguments&) {}

}  // namespace litmus
