// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lockstep {
struct AlertRecord;
struct DetectionScores;
struct DeviceInfo;
struct DeviceReadingRecord;
struct EvaluationRecord;
class GradientNoiseScale;
struct GradientRecord;
struct ImageScore;
struct InitialWeights;
struct PreflightRecord;
struct RunConfig;
struct RunStatus;
struct StepRecord;
} // namespace lockstep

namespace lockstep::train {

/// Keys stay in the order in which they are written here. Numbers are written in a form that reads
/// back as the same double; what is not a number becomes null.
using Json = nlohmann::ordered_json;

/// What is not known becomes null.
Json orNull(const std::optional<double>& value);

/// `objectives` names those of the network.
Json toJson(const StepRecord& record, const std::vector<std::string>& objectives);
Json toJson(const EvaluationRecord& record, const std::vector<std::string>& objectives);
Json toJson(const DetectionScores& scores);
Json toJson(const ImageScore& image);
/// Numbers that the device does not tell become null.
Json toJson(const DeviceReadingRecord& record);
/// The whole network, then each layer; what is not defined becomes null. `noiseScale` has seen the
/// record.
Json toJson(const GradientRecord& record, const GradientNoiseScale& noiseScale);
Json toJson(const PreflightRecord& record);
Json toJson(const InitialWeights& initial);
Json toJson(const AlertRecord& alert);
Json toJson(const RunStatus& status);
Json toJson(const DeviceInfo& info);
/// All keys of a configuration: numbers and switches as such, what is not given as null.
Json toJson(const RunConfig& config);

/// One line of text; bytes that are not UTF-8, say of a file name, are replaced.
std::string lineOf(const Json& json);

} // namespace lockstep::train
