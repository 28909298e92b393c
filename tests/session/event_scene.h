// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/formats/catalog.h"
#include "session/config/run_data.h"
#include "session/events/event_recorder.h"
#include "session/run_witness.h"
#include "storage/events/event_file_reader.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace lockstep::test {

inline RunConfig twoTowers()
{
    RunConfig config = smallConfig(100);
    config.device = "cpu";
    config.towers = 2;
    return config;
}

/// A training and its recorder.
struct EventScene
{
    explicit EventScene(RunConfig runConfig = twoTowers())
        : config(std::move(runConfig)), training(openDataset(datasetOf(config), Split::Train)),
          session(config, *training)
    {
    }

    [[nodiscard]] EventRecorderSettings settings() const { return {folder / "events", 10}; }

    RunConfig config;
    std::unique_ptr<Dataset> training;
    TrainingSession session;
    TemporaryFolder folder;
};

using Values = std::map<std::string, EventValue>;

/// The values of a step, by tag.
inline Values valuesAt(const std::filesystem::path& folder, std::int64_t step)
{
    Values values;
    forEachCurrentEvent(folder, [&](const EventRecord& record) {
        if (record.step == step) {
            for (const EventValue& value : record.values) {
                values.emplace(value.tag, value);
            }
        }
    });
    return values;
}

inline double scalar(const Values& values, const std::string& tag)
{
    return std::get<double>(values.at(tag).value);
}

inline const Histogram& histogram(const Values& values, const std::string& tag)
{
    return std::get<Histogram>(values.at(tag).value);
}

} // namespace lockstep::test
