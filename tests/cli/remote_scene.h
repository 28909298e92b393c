// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/background.h"
#include "engine/machines.h"
#include "engine/remote.h"
#include "engine/storage.h"
#include "session/mirror/replicated_tables.h"
#include "session/mirror/row_codec.h"
#include "storage/sqlite/sqlite_database.h"
#include "support/failure_of.h"
#include "support/temporary_folder.h"

#include <fmt/core.h>

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::test {

/// Keeps what a machine tells, for a test that waits for it.
class RemoteWitness
{
public:
    RemoteListener listener()
    {
        RemoteListener listener;
        listener.onState = [this](const RemoteState& state) {
            note([&] { m_states.push_back(state); });
        };
        listener.onRuns = [this](const std::vector<RemoteRun>& runs) {
            note([&] { m_runs = runs; });
        };
        listener.onGrown = [this](const std::string& /*run*/) { note([] {}); };
        listener.onCaughtUp = [this](const std::string& run) { note([&] { ++m_caughtUp[run]; }); };
        return listener;
    }

    /// Looks again whenever something is told, and now and then.
    bool waitUntil(const std::function<bool()>& isSo)
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!isSo()) {
            std::unique_lock lock(m_mutex);
            m_changed.wait_for(lock, std::chrono::milliseconds(50));
            if (std::chrono::steady_clock::now() > end) {
                return false;
            }
        }
        return true;
    }
    bool waitFor(RemoteState::Kind kind)
    {
        return waitUntil([&] { return !states().empty() && states().back().kind == kind; });
    }
    /// Waits for the end of the first attempt to connect; what it says if that failed.
    std::string refusal()
    {
        waitFor(RemoteState::Kind::Refused);
        return states().empty() ? "" : states().back().reason;
    }
    [[nodiscard]] std::vector<RemoteState> states()
    {
        const std::scoped_lock lock(m_mutex);
        return m_states;
    }
    [[nodiscard]] int caughtUp(const std::string& run)
    {
        const std::scoped_lock lock(m_mutex);
        return m_caughtUp[run];
    }
    /// As it is listed; without a name: it is not.
    [[nodiscard]] RemoteRun run(const std::string& name)
    {
        const std::scoped_lock lock(m_mutex);
        for (const RemoteRun& run : m_runs) {
            if (run.name == name) {
                return run;
            }
        }
        return {};
    }

private:
    void note(const std::function<void()>& change)
    {
        const std::scoped_lock lock(m_mutex);
        change();
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<RemoteState> m_states;
    std::vector<RemoteRun> m_runs;
    std::map<std::string, int> m_caughtUp;
};

/// Every row of every table of a run store, in the order of their keys; empty without a store.
inline std::map<std::string, std::vector<std::vector<std::uint8_t>>> rowsOf(
    const std::filesystem::path& run)
{
    std::map<std::string, std::vector<std::vector<std::uint8_t>>> rows;
    if (!std::filesystem::exists(RunFolder::storeFileOf(run))) {
        return rows;
    }
    const SqliteDatabase store(RunFolder::storeFileOf(run), SqliteDatabase::Access::Read);
    const auto read = [&](const std::string& table, const std::string& key) {
        SqliteStatement query =
            store.prepare(fmt::format("SELECT * FROM {} ORDER BY {}", table, key));
        query.query();
        while (query.next()) {
            appendRow(rows[table].emplace_back(), query);
        }
    };
    for (const GrowingTable& table : kGrowingTables) {
        read(table.name, table.key);
        if (table.child != nullptr) {
            read(table.child, table.childKey);
        }
    }
    for (const ComparedTable& table : kComparedTables) {
        read(table.name, table.key);
    }
    return rows;
}

/// What differs between the stores of two runs, for a message; empty: nothing.
inline QString difference(const std::filesystem::path& run, const std::filesystem::path& mirror)
{
    const auto wanted = rowsOf(run);
    const auto there = rowsOf(mirror);
    QString text;
    for (const auto& [table, rows] : wanted) {
        const auto found = there.find(table);
        const std::size_t count = found == there.end() ? 0 : found->second.size();
        if (count != rows.size() || found->second != rows) {
            text +=
                QString("%1: %2 rows, mirror %3; ").arg(table.c_str()).arg(rows.size()).arg(count);
        }
    }
    return wanted.empty() ? QString("there is no store")
                          : text + (there.size() > wanted.size() ? "more tables" : "");
}

inline std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void writeText(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

inline std::int64_t stepsIn(const std::filesystem::path& run)
{
    return std::filesystem::exists(RunFolder::storeFileOf(run))
               ? RunStoreReader(RunFolder::storeFileOf(run)).nextStep()
               : 0;
}

/// The learning rate of its last step.
inline double lastRate(const std::filesystem::path& run)
{
    double rate = 0.0;
    const RunStoreReader reader(RunFolder::storeFileOf(run));
    reader.forEachStep(
        [&](const StepRecord& step) { rate = step.learningRate; }, reader.nextStep() - 1);
    return rate;
}

/// What a failed test has left training.
inline void endTrainings(const std::filesystem::path& runs)
{
    for (const auto& entry : std::filesystem::directory_iterator(runs)) {
        if (const auto process = RunLock::writerOf(entry.path());
            process.value_or(0) > 0 && *process != ::getpid()) {
            ::kill(*process, SIGKILL);
        }
    }
}

/// Whether a process trains it and answers.
inline bool isReachable(const std::filesystem::path& run)
{
    return RunLock::writerOf(run) && !errorOf([&] { static_cast<void>(RunRemote(run).status()); });
}

} // namespace lockstep::test
