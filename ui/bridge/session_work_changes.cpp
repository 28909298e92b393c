// SPDX-License-Identifier: GPL-3.0-or-later
// What is changed in a run while it trains, and what it tells of itself.
#include "bridge/session_work.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/records.h"
#include "engine/remote.h"

namespace lockstep::ui {

/// A request that a run of our own refuses is told like one that another process refuses.
template<class Request>
void SessionWork::ask(Request request)
{
    try {
        request();
    } catch (const Error& error) {
        emit m_controller.noteArrived(QString::fromUtf8(error.what()), true);
    }
}

void SessionWork::changeLearningRate(double rate)
{
    if (m_remote) {
        return m_remote->send([rate](const RunRemote& run) { run.setLearningRate(rate); });
    }
    ask([&] { m_engine->requestLearningRate(rate); });
}

void SessionWork::changeSteps(std::int64_t steps)
{
    if (m_remote) {
        return m_remote->send([steps](const RunRemote& run) { run.setSteps(steps); });
    }
    ask([&] { m_engine->requestSteps(steps); });
}

void SessionWork::stopAfterEpoch(bool isWanted)
{
    if (m_remote) {
        return m_remote->send([isWanted](const RunRemote& run) { run.stopAfterEpoch(isWanted); });
    }
    m_engine->requestStopAfterEpoch(isWanted);
}

std::int64_t SessionWork::stopStep() const
{
    if (m_remote) {
        return m_status ? m_status->stopStep : -1;
    }
    return m_engine ? m_engine->stopStep() : -1;
}

void SessionWork::onAlert(const AlertRecord& alert)
{
    m_pump.flush(); // the steps that it is about first
    emit m_controller.alertArrived(alert);
}

void SessionWork::onConfig(const RunConfig& config)
{
    m_pump.flush();
    m_plan.config = config;
    emit m_controller.configChanged(config);
}

} // namespace lockstep::ui
