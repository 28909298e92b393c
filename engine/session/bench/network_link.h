// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockstep {

/// The way of one machine into the network: it sends and receives at the same time, each at the
/// full rate, which all that it sends shares.
struct NetworkLink
{
    double latency = 0.0; ///< seconds from the last byte sent to the last one received
    double bytesPerSecond = 0.0;
    double workPerByte = 0.0; ///< seconds of a processor, to send a byte or to receive it
};

/// Common ones: "1g", "10g", "25g", "100g": Ethernet, of whose rate TCP leaves 94 %, with the work
/// that TCP is; "infiniband": 200 Gbit/s, and adapters do that work. Error(BadInput) lists them.
NetworkLink linkByName(const std::string& name);
/// Their names, the slowest first.
std::vector<std::string> linkNames();

/// "50us", "0.2ms", "1s": seconds. Error(BadInput) says what is wrong.
double parseLatency(const std::string& text);
/// "100Mbit", "1Gbit/s", "117MB/s", "1.2GB/s": bytes per second, in powers of 1000. Errors as
/// above.
double parseBandwidth(const std::string& text);

} // namespace lockstep
