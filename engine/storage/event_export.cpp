// SPDX-License-Identifier: Apache-2.0
#include "storage/event_export.h"

#include "base/error.h"
#include "storage/event_file.h"
#include "storage/event_file_reader.h"
#include "storage/event_scalars.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {
namespace {

/// Collects records, so that not each one is synced.
class Target
{
public:
    explicit Target(EventFile& file) : m_file(file) {}

    void add(EventRecord record)
    {
        constexpr std::size_t kAtOnce = 256;
        m_records.push_back(std::move(record));
        if (m_records.size() >= kAtOnce) {
            flush();
        }
    }
    void flush()
    {
        m_file.append(m_records);
        m_records.clear();
    }

private:
    EventFile& m_file;
    std::vector<EventRecord> m_records;
};

void addStore(const RunStoreReader& store, Target& target)
{
    std::vector<EvaluationRecord> evaluations = store.evaluations();
    std::ranges::stable_sort(evaluations, {}, &EvaluationRecord::step);
    auto evaluation = evaluations.begin();
    const auto branches = store.branches();
    const double begin = branches.empty() ? 0.0 : branches.front().created;
    double now = begin;
    const auto addEvaluations = [&](std::int64_t until) {
        for (; evaluation != evaluations.end() && evaluation->step <= until; ++evaluation) {
            target.add({EventKind::Values, now, evaluation->step, eventScalars(*evaluation)});
        }
    };
    store.forEachStep([&](const StepRecord& record) {
        addEvaluations(record.step);
        now = begin + record.wallSeconds;
        target.add({EventKind::Values, now, record.step, eventScalars(record)});
    });
    addEvaluations(std::numeric_limits<std::int64_t>::max());
}

/// The run store has all scalars of steps and evaluations, the event files only those of some
/// steps.
void addEvents(const std::filesystem::path& events, Target& target)
{
    forEachCurrentEvent(events, [&](const EventRecord& record) {
        EventRecord kept = record;
        std::erase_if(kept.values, [](const EventValue& value) {
            return std::holds_alternative<double>(value.value)
                   && !value.tag.ends_with(kSparsitySuffix);
        });
        if (!kept.values.empty()) {
            target.add(std::move(kept));
        }
    });
}

} // namespace

std::filesystem::path exportEvents(
    const RunStoreReader& store, const std::filesystem::path& events,
    const std::filesystem::path& folder)
{
    const auto present = listEventFiles(folder);
    if (!present.empty()) {
        fail(
            ErrorCode::BadInput, "{}: there is an event file already; choose another folder",
            present.front().string());
    }
    EventFile file(folder, 0);
    try {
        Target target(file);
        addStore(store, target);
        addEvents(events, target);
        target.flush();
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove(file.path(), ignored);
        throw;
    }
    return file.path();
}

} // namespace lockstep
