// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_export.h"

#include "base/error.h"
#include "storage/events/event_file.h"
#include "storage/events/event_file_reader.h"
#include "storage/events/event_scalars.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
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
    const std::vector<std::string> objectives = store.objectives();
    std::vector<EvaluationRecord> evaluations = store.evaluations();
    std::ranges::stable_sort(evaluations, {}, &EvaluationRecord::step);
    auto evaluation = evaluations.begin();
    const auto branches = store.branches();
    const double begin = branches.empty() ? 0.0 : branches.front().created;
    double now = begin;
    const auto addEvaluations = [&](std::int64_t until) {
        for (; evaluation != evaluations.end() && evaluation->step <= until; ++evaluation) {
            target.add(
                {EventKind::Values, now, evaluation->step, eventScalars(*evaluation, objectives)});
        }
    };
    // In stretches: a long run has too many gradients to keep.
    constexpr std::int64_t kStretch = 4096;
    GradientNoiseScale noiseScale;
    const std::int64_t nextStep = store.nextStep();
    for (std::int64_t first = 0; first < nextStep; first += kStretch) {
        std::map<std::int64_t, std::vector<EventValue>> gradients;
        store.forEachGradient(
            [&](const GradientRecord& record) {
                noiseScale.add(record);
                gradients[record.step] = eventScalars(record, noiseScale);
            },
            first, first + kStretch);
        store.forEachStep(
            [&](const StepRecord& record) {
                addEvaluations(record.step);
                now = begin + record.wallSeconds;
                std::vector<EventValue> values = eventScalars(record, objectives);
                const auto found = gradients.find(record.step);
                if (found != gradients.end()) {
                    std::ranges::move(found->second, std::back_inserter(values));
                }
                target.add({EventKind::Values, now, record.step, std::move(values)});
            },
            first, first + kStretch);
    }
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
