// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/run_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

class SqliteDatabase;

/// A branch of a run: it begins at `fromStep` of its parent.
struct RunBranchInfo
{
    std::int64_t id = 0;
    std::optional<std::int64_t> parent; ///< none: the first branch
    std::int64_t fromStep = 0;
    double created = 0.0; ///< seconds since 1970
};

/// Reads RUN/run.db, finished or being written by another thread or process, and changes nothing.
/// Steps, evaluations and readings are those of the current line: the newest branch and, below its
/// first step, the branches it came from. One thread at a time; any number of readers. Errors name
/// the file: Error(Io) if it can't be read, Error(Data) if it is damaged or no run store.
class RunStoreReader
{
public:
    explicit RunStoreReader(const std::filesystem::path& file);
    ~RunStoreReader();
    RunStoreReader(const RunStoreReader&) = delete;
    RunStoreReader& operator=(const RunStoreReader&) = delete;

    [[nodiscard]] std::map<std::string, std::string> values() const;
    [[nodiscard]] std::vector<RunBranchInfo> branches() const;
    [[nodiscard]] std::vector<EvaluationRecord> evaluations() const;
    /// In the order in which they were made; none in the store of an older program.
    [[nodiscard]] std::vector<DeviceReadingRecord> deviceReadings() const;
    /// The last one of each device.
    [[nodiscard]] std::vector<DeviceReadingRecord> lastDeviceReadings() const;
    [[nodiscard]] std::vector<RunEvent> events() const;

    /// Last step of the current line + 1; 0 without a step.
    [[nodiscard]] std::int64_t nextStep() const;
    /// Most towers of any branch of the current line; 0 without a step.
    [[nodiscard]] int towers() const;

    /// Calls `take` for each step in [first, end) by ascending number. All come from one state of
    /// the store, even while it is being written. Values that are not a number come back as such.
    void forEachStep(
        const std::function<void(const StepRecord&)>& take, std::int64_t first = 0,
        std::int64_t end = std::numeric_limits<std::int64_t>::max()) const;

private:
    std::unique_ptr<SqliteDatabase> m_database;
};

} // namespace lockstep
