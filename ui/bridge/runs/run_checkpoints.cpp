// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_checkpoints.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
#include "engine/machines.h"
#include "engine/run.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

/// Several things happen at once: a checkpoint, its evaluation, the deletion of an older one.
constexpr int kSoonMilliseconds = 60;
/// A store is written once a second.
constexpr int kLaterMilliseconds = 1400;

QString reasonText(const std::string& reason)
{
    std::map<std::string, QString> texts{
        {"start", RunCheckpoints::tr("start of the run")},
        {"periodic", RunCheckpoints::tr("periodic")},
        {"requested", RunCheckpoints::tr("saved by you")},
        {"change", RunCheckpoints::tr("before a change")},
        {"best", RunCheckpoints::tr("best so far")},
        {"end", RunCheckpoints::tr("end of the run")}};
    return texts[reason];
}

void tellAccuracy(std::vector<CheckpointItem>& items, const std::vector<EvaluationRecord>& records)
{
    for (CheckpointItem& item : items) {
        for (const EvaluationRecord& record : records) {
            const bool isBetterKnown =
                record.weights == WeightsKind::Average || !item.accuracy.has_value();
            if (record.step == item.step && isBetterKnown) {
                item.accuracy = record.accuracy;
            }
        }
    }
}

void markBest(
    std::vector<CheckpointItem>& items, const std::vector<EvaluationRecord>& records,
    const std::string& metric)
{
    const BestCheckpointRule rule = bestCheckpointByName(metric);
    CheckpointItem* best = nullptr;
    double most = 0.0;
    for (const EvaluationRecord& record : records) {
        const auto item = std::ranges::find(items, record.step, &CheckpointItem::step);
        const double score = rule.scoreOf(record);
        if (item != items.end() && !std::isnan(score) && (best == nullptr || score > most)) {
            best = &*item;
            most = score;
        }
    }
    if (best != nullptr) {
        best->isBest = true;
    }
}

void tellReasons(std::vector<CheckpointItem>& items, const std::vector<CheckpointFact>& facts)
{
    for (const CheckpointFact& fact : facts) { // the last one of a file holds
        for (CheckpointItem& item : items) {
            if (QFileInfo(item.file).fileName() == nameOf(fact.checkpoint.file)) {
                item.reason = reasonText(fact.checkpoint.reason);
            }
        }
    }
}

std::vector<CheckpointItem> listedThere(RemoteMachine& machine, const fs::path& mirror)
{
    std::vector<CheckpointItem> items;
    for (const RemoteCheckpoint& there : machine.checkpoints(machine.runOf(mirror))) {
        items.push_back(
            {there.step,
             toQString(mirror / there.file),
             there.bytes,
             QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(there.written * 1000.0)),
             {},
             there.isPinned});
    }
    return items;
}

} // namespace

std::vector<CheckpointItem> readCheckpoints(const fs::path& run, RemoteMachine* machine)
{
    std::vector<CheckpointItem> items =
        machine != nullptr ? listedThere(*machine, run) : RunLibrary::checkpointsOf(run);
    try {
        const RunStoreReader reader(RunFolder::storeFileOf(run));
        const std::vector<EvaluationRecord> records = reader.evaluations();
        tellAccuracy(items, records);
        markBest(items, records, configOfRun(run).checkpointBestBy);
        tellReasons(items, reader.checkpoints());
    } catch (const Error&) { // without its store, the files still are what they are
    }
    return items;
}

RunCheckpoints::RunCheckpoints(const LiveRun& run, QObject* parent)
    : QObject(parent), m_run(run), m_mailbox(*this),
      m_reading(
          *this,
          [](const Wanted& wanted) -> std::shared_ptr<const std::vector<CheckpointItem>> {
              try {
                  return std::make_shared<const std::vector<CheckpointItem>>(
                      readCheckpoints(wanted.folder, wanted.machine.get()));
              } catch (const Error&) { // they are asked for again once the line is back
                  return nullptr;
              }
          },
          [this](const Wanted& wanted, const auto& items) {
              if (wanted.folder == m_run.folder() && *items != m_items) {
                  m_items = *items;
                  emit changed();
              }
          })
{
    for (QTimer* const timer : {&m_soon, &m_later}) {
        timer->setSingleShot(true);
        connect(timer, &QTimer::timeout, this, &RunCheckpoints::read);
    }
    connect(&run, &LiveRun::begun, this, [this] {
        m_items.clear();
        emit changed();
        m_soon.stop();
        m_later.stop();
        read();
    });
    connect(&run, &LiveRun::checkpointSaved, this, &RunCheckpoints::refresh);
    connect(&run, &LiveRun::evaluated, this, &RunCheckpoints::refresh);
    connect(&run, &LiveRun::configChanged, this, &RunCheckpoints::refresh); // one was pinned
}

void RunCheckpoints::refresh()
{
    if (!m_soon.isActive()) {
        m_soon.start(kSoonMilliseconds);
    }
    m_later.start(kLaterMilliseconds);
}

void RunCheckpoints::read()
{
    if (!m_run.folder().empty()) {
        m_reading.request({m_run.folder(), m_run.machine()});
    }
}

void RunCheckpoints::setPinned(const QString& file, bool isPinned)
{
    m_reading.run([this, file, isPinned] {
        try {
            lockstep::setPinned(toPath(file), isPinned);
            m_mailbox.post([this] { read(); });
        } catch (const std::exception& error) {
            m_mailbox.post([this, text = engineText(error.what())] { emit failed(text); });
        }
    });
}

} // namespace lockstep::ui
