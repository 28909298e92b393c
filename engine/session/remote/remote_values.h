// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/colour_image.h"
#include "dataset/examples/dataset.h"
#include "device/device_report.h"
#include "metrics/evaluation_record.h"
#include "session/evaluation/image_predictor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

/// What a machine says of itself. A plain value, as all that follow.
struct RemoteFacts
{
    std::string host;    ///< as it calls itself
    std::string version; ///< of lockstep-train there
    std::string runs;    ///< absolute folder of the runs that are served
    std::vector<DeviceReport> devices;
    /// Where a data set that is read from files lies there already; empty: it was not found.
    struct DataSet
    {
        std::string name;
        std::string folder;
    };
    std::vector<DataSet> dataSets; ///< of those in datasetCatalog(), in its order
    /// A configuration that a person saved there as a preset, as TOML.
    struct Preset
    {
        std::string name;
        std::string configuration;
    };
    std::vector<Preset> presets; ///< by name
};

/// A run on the machine, as the list shows it; what a run that is not followed has besides is only
/// there.
struct RemoteRun
{
    std::string name;       ///< of its folder; the key to all else
    bool isTrained = false; ///< a process trains it now
    std::string state;      ///< of its store: a name of RunState; empty: none yet
    std::int64_t step = 0;  ///< updates done, in the lineage
    double started = 0.0;   ///< seconds since 1970; 0: never
    double changed = 0.0;   ///< its files were last written; seconds since 1970
    std::optional<double> lastLoss;
    std::optional<double> lastAccuracy; ///< of the moving averages
    std::optional<double> bestAccuracy;
    std::string configuration; ///< text of its run.toml
    std::string title;         ///< that a person gave it; else empty
    std::string problem;       ///< why it can't be read; else empty

    bool operator==(const RemoteRun&) const = default;
};

/// A checkpoint that lies there.
struct RemoteCheckpoint
{
    std::int64_t step = 0;
    std::string file; ///< within the run's folder: "checkpoints/step-000001000.safetensors"
    std::int64_t bytes = 0;
    double written = 0.0; ///< seconds since 1970
    bool isPinned = false;
};

/// A training that is to be started there.
struct RemoteStart
{
    std::string configuration; ///< TOML; paths of data are paths there
    /// Of the run's folder, a new one, or of a run that is there where `isResume`. Empty: today and
    /// the model, as without --run.
    std::string name;
    bool isResume = false;
};

/// An image to look at with a network, see ImagePredictor.
struct RemotePrediction
{
    std::string run;
    std::int64_t step = 0; ///< the weights of the checkpoint that is closest to this
    WeightsKind weights = WeightsKind::Average;
    /// An example of the test set there, or an image file here, which is sent.
    std::variant<std::int64_t, std::filesystem::path> image;
};

struct RemotePredicted
{
    PredictedImage image;
    std::int64_t step = 0; ///< of the checkpoint whose weights these are
};

/// An example of a data set there, before anything is done to it.
struct RemoteExample
{
    std::string name;
    std::string className;
    std::int64_t examples = 0; ///< of its split
    ColourImage image;
};

} // namespace lockstep
