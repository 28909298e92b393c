// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/batch_preview.h"
#include "bridge/base/class_words.h"
#include "engine/base.h"
#include "models/engine_text.h"

#include <QElapsedTimer>

#include <algorithm>
#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

/// What is loaded sooner is not worth a word, nor are more words than this.
constexpr qint64 kWordMilliseconds = 150;

const RunConfig& configOf(const BatchPreview::Request& request)
{
    return std::visit([](const auto& each) -> const RunConfig& { return each.config; }, request);
}

} // namespace

BatchPreview::BatchPreview(QObject* parent)
    : QObject(parent), m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

void BatchPreview::setMachine(std::shared_ptr<RemoteMachine> machine)
{
    const std::scoped_lock lock(m_mutex);
    m_machine = std::move(machine);
}

void BatchPreview::request(Request request)
{
    const std::scoped_lock lock(m_mutex);
    std::erase_if(
        m_requests, [&](const Request& other) { return other.index() == request.index(); });
    m_requests.push_back(std::move(request));
    m_changed.notify_all();
}

bool BatchPreview::abandon()
{
    const std::scoped_lock lock(m_mutex);
    if (!m_isServing && m_requests.empty()) {
        return false;
    }
    m_isAbandoned = m_isServing;
    m_requests.clear();
    ++m_age;
    return true;
}

void BatchPreview::work(const std::stop_token& stop)
{
    m_stop = stop;
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_isServing = false;
        m_changed.wait(lock, stop, [this] { return !m_requests.empty(); });
        if (stop.stop_requested()) {
            return;
        }
        const Request request = std::move(m_requests.front());
        m_requests.pop_front();
        m_isAbandoned = false;
        m_isServing = true;
        m_servedAge = m_age;
        const std::shared_ptr<RemoteMachine> machine = m_machine;
        lock.unlock();
        serve(request, machine.get());
    }
}

void BatchPreview::serve(const Request& request, RemoteMachine* machine)
{
    try {
        if (machine != nullptr) {
            return answerThere(*machine, request);
        }
        const DatasetRequest dataset = PreviewData::requestFor(configOf(request));
        QElapsedTimer sinceWord;
        sinceWord.start();
        const auto progress = [&](double share) {
            if (sinceWord.hasExpired(kWordMilliseconds)) {
                sinceWord.start();
                post([this, share] { emit loading(share); });
            }
            return mayLoad(dataset);
        };
        std::visit(
            Overloaded{
                [&](const BatchRequest& each) {
                    const PreviewBatch batch = makePreviewBatch(each, m_data, progress);
                    post([this, batch] { emit made(batch); });
                },
                [&](const StudyRequest& each) {
                    const ExampleStudy study = studyExample(each, m_data, progress);
                    post([this, study] { emit studied(study); });
                },
                [&](const BalanceRequest& each) {
                    const ClassBalance balance = countClasses(each.config, m_data, progress);
                    post([this, balance] { emit counted(balance); });
                    if (each.isClosedThen) {
                        m_data = {};
                    }
                }},
            request);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Cancelled) { // nobody wants it any more
            answerProblem(request, engineText(error.what()));
        }
    } catch (const std::exception& error) {
        answerProblem(request, engineText(error.what()));
    }
}

/// As long as it is not abandoned and the newest request is of the same data.
bool BatchPreview::mayLoad(const DatasetRequest& dataset)
{
    const std::scoped_lock lock(m_mutex);
    if (m_stop.stop_requested() || m_isAbandoned) {
        return false;
    }
    try {
        return m_requests.empty()
               || PreviewData::requestFor(configOf(m_requests.back())) == dataset;
    } catch (const Error&) { // no data set
        return false;
    }
}

bool BatchPreview::isWantedStill()
{
    const std::scoped_lock lock(m_mutex);
    return !m_stop.stop_requested() && !m_isAbandoned && m_requests.empty();
}

/// Single images come over the line, as they are; what the run makes of them is made there.
void BatchPreview::answerThere(RemoteMachine& machine, const Request& request)
{
    const auto* const batch = std::get_if<BatchRequest>(&request);
    if (const auto* const study = std::get_if<StudyRequest>(&request)) {
        const RemoteExample there =
            machine.example(toToml(study->config), study->split, study->visit.example);
        ExampleStudy shown{
            .split = study->split,
            .visit = study->visit,
            .name = QString::fromStdString(there.name),
            .className = classWords(there.className),
            .original = originalPicture(there.image, kLongestSide),
            .size = {static_cast<int>(there.image.width), static_cast<int>(there.image.height)}};
        post([this, shown] { emit studied(shown); });
    } else if (batch != nullptr && batch->split == Split::Test) {
        answerThere(machine, *batch);
    } else {
        const QString name = QString::fromStdString(machine.address().machine());
        answerProblem(
            request,
            tr("The data set is on %1: “Evaluation” shows the images of its test set.").arg(name));
    }
}

void BatchPreview::answerThere(RemoteMachine& machine, const BatchRequest& request)
{
    PreviewBatch shown{.split = request.split, .position = request.position, .isWhole = true};
    std::int64_t end = request.position + request.images;
    for (std::int64_t number = request.position; number < end; ++number) {
        if (!isWantedStill()) {
            return;
        }
        const RemoteExample there = machine.example(toToml(request.config), request.split, number);
        shown.examples = there.examples;
        end = std::min(end, there.examples);
        PreviewImage image;
        image.image = originalPicture(there.image, kLongestSide);
        image.className = classWords(there.className);
        image.name = QString::fromStdString(there.name);
        image.tower = PreviewImage::kNoTower;
        image.visit.example = static_cast<std::uint32_t>(number);
        shown.images.push_back(std::move(image));
    }
    post([this, shown] { emit made(shown); });
}

void BatchPreview::answerProblem(const Request& request, const QString& text)
{
    post([this, request, text] {
        if (const auto* const batch = std::get_if<BatchRequest>(&request)) {
            emit made({.split = batch->split, .position = batch->position, .problem = text});
        } else if (const auto* const study = std::get_if<StudyRequest>(&request)) {
            emit studied({.split = study->split, .visit = study->visit, .problem = text});
        } else {
            emit counted({.problem = text});
        }
    });
}

/// In the GUI thread, unless it was abandoned meanwhile.
template<class Report>
void BatchPreview::post(Report report)
{
    QMetaObject::invokeMethod(
        this,
        [this, age = m_servedAge, report = std::move(report)] {
            if (age == m_age) {
                report();
            }
        },
        Qt::QueuedConnection);
}

} // namespace lockstep::ui
