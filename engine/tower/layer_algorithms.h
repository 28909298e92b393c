// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace lockstep {

/// In place of a layer's name among algorithms: every layer that has none of its own.
inline constexpr const char* kEveryLayer = "*";
/// The same, of a processor.
inline constexpr const char* kEveryHostLayer = "* on processors";

/// "conv1: fprop …; wgrad … | local3: …": what was chosen for each layer, as one text, and back;
/// see ReplicaSettings::algorithms. "first" alone is short for "*: first". Error(BadInput) for a
/// text that is not of this form.
std::string algorithmsText(const std::map<std::string, std::string>& algorithms);
std::map<std::string, std::string> parseAlgorithms(const std::string& text);

/// What these leave open is counted on processors, not measured.
void leaveUnmeasured(std::map<std::string, std::string>& algorithms);

} // namespace lockstep
