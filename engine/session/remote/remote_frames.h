// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/evaluation/image_predictor.h"
#include "session/mirror/frame_channel.h"
#include "session/remote/remote_values.h"

#include <filesystem>
#include <string>

namespace lockstep {

// Values as parts of frames, and back: nlohmann's way. What is read throws its exceptions.
// NOLINTBEGIN(readability-identifier-naming): the names are nlohmann's
void to_json(Frame& frame, const RemoteFacts& facts);
void from_json(const Frame& frame, RemoteFacts& facts);
void to_json(Frame& frame, const RemoteRun& run);
void from_json(const Frame& frame, RemoteRun& run);
void to_json(Frame& frame, const RemoteCheckpoint& checkpoint);
void from_json(const Frame& frame, RemoteCheckpoint& checkpoint);
void to_json(Frame& frame, const PredictedImage& image);
void from_json(const Frame& frame, PredictedImage& image);
void to_json(Frame& frame, const RemoteExample& example);
void from_json(const Frame& frame, RemoteExample& example);
// NOLINTEND(readability-identifier-naming)

/// A name of a run or of a file in a run, from the other end: whether it stays inside the folder.
bool isInside(const std::filesystem::path& name);
bool isRunName(const std::string& name);

} // namespace lockstep
