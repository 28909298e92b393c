// SPDX-License-Identifier: Apache-2.0
#include "session/run/preflight.h"

#include "base/byte_text.h"
#include "base/clock.h"
#include "base/error.h"
#include "dataset/examples/duplicates.h"
#include "dataset/formats/kolektorsdd.h"
#include "session/config/training_phases.h"
#include "session/run/device_sampler.h"
#include "session/run/running_moments.h"
#include "session/run/split_check.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/store/run_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace lockstep {
namespace {

/// What the store takes at most for a tower and step; see storage/README.md.
constexpr double kStoreBytes = 150.0;
/// What a record for TensorBoard takes for the CIFAR-10 network.
constexpr double kGradientRowBytes = 45.0;
constexpr double kEventBytes = 65536.0;
constexpr double kBusyLoad = 0.5;
/// Share of the training images that may be there twice without a warning.
constexpr double kFewRepeated = 0.01;
constexpr std::chrono::milliseconds kBetweenReadings{100};
constexpr const char* kHost = "cpu"; ///< see sampledDevices()

struct Finding
{
    PreflightResult result = PreflightResult::Passed;
    std::string text;
};

/// Passed, or else a warning with `advice` behind the text.
Finding finding(bool isWorrying, const std::string& text, const std::string& advice = {})
{
    return isWorrying ? Finding{PreflightResult::Warning, text + advice}
                      : Finding{PreflightResult::Passed, text};
}

/// Bytes that programs can still get, from /proc/meminfo; empty where it does not tell.
std::optional<double> availableMemory()
{
    std::ifstream file("/proc/meminfo");
    for (std::string key; file >> key;) {
        double kibibytes = 0.0;
        if (key == "MemAvailable:" && file >> kibibytes) {
            return kibibytes * 1024.0;
        }
    }
    return std::nullopt;
}

class Preflight
{
public:
    explicit Preflight(const PreflightSubject& subject) : m_subject(subject) {}

    Finding checkpoint()
    {
        const Stopwatch watch;
        m_checkpointBytes = static_cast<double>(m_subject.files.probe(m_subject.session.capture()));
        return {
            PreflightResult::Passed, fmt::format(
                                         "{} written, synced, read back and compared in {:.2f} s",
                                         byteText(m_checkpointBytes), watch.seconds())};
    }

    [[nodiscard]] Finding freeSpace() const
    {
        const RunConfig& config = m_subject.config;
        const std::filesystem::path& folder = m_subject.files.folder();
        std::error_code error;
        const auto space = std::filesystem::space(folder, error);
        if (error) {
            return {PreflightResult::Warning, "the file system does not tell"};
        }
        const auto available = static_cast<double>(space.available);
        // One more than are kept: a new one is written before an old one is deleted. Where a run
        // goes on, most are there.
        const auto there = std::ranges::count_if(
            listCheckpoints(RunFolder::checkpointsOf(folder)),
            [](const CheckpointFile& file) { return !file.isPinned; });
        const double files = std::max(
            1.0,
            1.0 + config.checkpointKeep + config.checkpointKeepBest - static_cast<double>(there));
        const double checkpoints = files * m_checkpointBytes;
        const auto steps = static_cast<double>(
            std::max<std::int64_t>(0, config.steps - m_subject.session.progress().step));
        const double events =
            config.eventsEverySteps > 0
                ? steps / static_cast<double>(config.eventsEverySteps) * kEventBytes
                : 0.0;
        const double store = steps * config.towers * kStoreBytes + steps * gradientBytes() + events;
        const std::string text = fmt::format(
            "{} free; {:.0f} checkpoints take {}, store and events up to {}, in {}",
            byteText(available), files, byteText(checkpoints), byteText(store), folder.string());
        if (available < 2 * m_checkpointBytes) {
            fail(
                ErrorCode::Io, "{}: not even two checkpoints fit; make room or choose another disk",
                text);
        }
        return finding(
            available < checkpoints + store, text,
            ": make room, or lower checkpoint.keep or raise events.every_steps");
    }

    /// In the store, a step.
    [[nodiscard]] double gradientBytes() const
    {
        const RunConfig& config = m_subject.config;
        if (config.gradientsEverySteps == 0) {
            return 0.0;
        }
        const auto rows = static_cast<double>(
            m_subject.session.plan().network.parameters.size()
            * static_cast<std::size_t>(1 + config.towers));
        return rows * kGradientRowBytes / static_cast<double>(config.gradientsEverySteps);
    }

    [[nodiscard]] Finding data() const
    {
        const std::int64_t classes = m_subject.session.plan().network.classes;
        const SplitCheck training(m_subject.training, classes);
        const SplitCheck test(m_subject.test, classes);
        const std::string text = fmt::format(
            "{}: {} training and {} test examples, labels and sizes as they should be",
            m_subject.training.info().name, m_subject.training.size(), m_subject.test.size());
        const bool hasBackground = hasBackgroundClass(m_subject.config.model);
        const std::int64_t missing = training.missingClasses(hasBackground ? 1 : 0);
        return finding(
            missing > 0, text, fmt::format("; {} classes have no training example", missing));
    }

    [[nodiscard]] Finding duplicates() const
    {
        const Dataset& training = m_subject.training;
        const Dataset& test = m_subject.test;
        bool isStopped = false;
        Duplicates same;
        try {
            same = findDuplicates(training, test, [&](double /*share*/) {
                isStopped = m_subject.isStopWanted();
                return !isStopped;
            });
        } catch (const Error&) {
            if (!isStopped) {
                throw;
            }
            return {PreflightResult::Warning, "not looked for to the end: the run shall stop"};
        }
        const auto pair = [&](const Dataset& first, const SameImage& both) {
            const auto classOf = [](const Dataset& dataset, std::int64_t index) {
                const auto label = dataset.example(index).label;
                const auto& names = dataset.info().classNames;
                return label >= 0 && label < std::ssize(names)
                           ? names[static_cast<std::size_t>(label)]
                           : std::to_string(label);
            };
            return fmt::format(
                "{} ({}) is {} ({})", imageName(first, both.example), classOf(first, both.example),
                imageName(training, both.training), classOf(training, both.training));
        };
        std::string text =
            same.found == 0
                ? fmt::format("none of {} test images is a training image", same.compared)
                : fmt::format(
                    "{} of {} test images are training images, too, the first: {} is {}",
                    same.found, same.compared, imageName(test, same.first.example),
                    imageName(training, same.first.training));
        if (same.otherLabel > 0) {
            text += fmt::format(
                "; {} of them under another class, the first: {}", same.otherLabel,
                pair(test, same.firstOther));
        }
        if (same.repeated > 0) {
            text += fmt::format(
                "; {} of {} training images are there twice", same.repeated, same.trained);
        }
        if (same.ambiguous > 0) {
            text += fmt::format(
                "; {} of {} training images are under two classes, the first: {}", same.ambiguous,
                same.trained, pair(training, same.firstAmbiguous));
        }
        const bool isWrong = same.found > 0 || same.ambiguous > 0;
        if (isWrong && m_subject.config.split.duplicates == kRefuseDuplicates) {
            fail(ErrorCode::Data, "{}: take one of each two away, or set dataset.duplicates", text);
        }
        // Most data sets hold a few.
        const bool areMany =
            static_cast<double>(same.repeated) > kFewRepeated * static_cast<double>(same.trained);
        return finding(
            isWrong || areMany, text,
            same.found > 0 ? ": what the test says of the network is too good" : "");
    }

    [[nodiscard]] Finding initialWeights() const
    {
        const InitialWeights& initial = *m_subject.initial;
        return finding(
            initial.isLittle(), initial.summary(),
            ": most of the network begins at random weights; is it the same network?");
    }

    [[nodiscard]] Finding memory() const
    {
        const auto towers = static_cast<double>(m_subject.session.stepper().bytes());
        std::string text = fmt::format(
            "{} × {} examples take {}", m_subject.session.stepper().shape().towers,
            m_subject.session.stepper().shape().batchPerTower, byteText(towers));
        std::optional<double> least;
        for (const SampledDevice& device : sampledDevices(m_subject.session.plan().devices)) {
            if (device.name == kHost && !isOnAccelerators()) {
                continue; // what is left there is said below
            }
            const DeviceReading reading = device.read();
            if (reading.memoryTotalBytes >= 0 && reading.memoryUsedBytes >= 0) {
                const auto left =
                    static_cast<double>(reading.memoryTotalBytes - reading.memoryUsedBytes);
                text += fmt::format("; {} left on {}", byteText(left), device.name);
            }
        }
        if (!isOnAccelerators()) {
            least = availableMemory();
            text += least ? fmt::format("; {} of memory left", byteText(*least)) : "";
        }
        // What was planned on the host is only taken when it is first touched.
        return finding(least && towers > *least, text, ": take a smaller batch or fewer towers");
    }

    [[nodiscard]] Finding phases() const
    {
        std::string text;
        for (const RunPhase& phase : m_subject.session.plan().phases) {
            text += (text.empty() ? "" : "; then ") + phaseText(phase);
        }
        return {PreflightResult::Passed, text};
    }

    [[nodiscard]] Finding devices() const
    {
        const TowerShape& shape = m_subject.session.stepper().shape();
        std::string text;
        bool isShared = false;
        for (const auto& device : m_subject.session.plan().devices.devices) {
            text += fmt::format(
                "{}{}: {}", text.empty() ? "" : "; ", device->info().name,
                device->info().description);
        }
        for (const SampledDevice& device : sampledDevices(m_subject.session.plan().devices)) {
            DeviceReading reading = device.read();
            if (device.name == kHost) { // tells its load only between two readings
                std::this_thread::sleep_for(kBetweenReadings);
                reading = device.read();
            }
            if (reading.load > kBusyLoad) {
                isShared = true;
                text += fmt::format(
                    "; {} is {:.0f} % busy already, another program uses it", device.name,
                    reading.load * 100.0);
            }
        }
        const int towers = m_subject.session.plan().share.of(shape.towers).count;
        const int threads = towers * shape.threadsPerTower;
        if (!isOnAccelerators()) {
            text += fmt::format(
                "; towers × threads = {} × {}, processors = {}", towers, shape.threadsPerTower,
                ThreadTeam::processors());
            text += threads > ThreadTeam::processors() ? ": they take turns" : "";
            const std::string& because = m_subject.session.stepper().threads().unboundBecause();
            text += because.empty() ? "" : fmt::format("; not bound to cores: {}", because);
        }
        return finding(isShared, text);
    }

private:
    [[nodiscard]] bool isOnAccelerators() const
    {
        return !m_subject.session.plan().devices.first().worksOnHost();
    }

    const PreflightSubject& m_subject;
    double m_checkpointBytes = 0.0;
};

} // namespace

void runPreflight(
    const PreflightSubject& subject, const std::function<void(const PreflightRecord&)>& onRecord)
{
    Preflight preflight(subject);
    std::optional<Error> failure;
    const auto check = [&](const char* name, auto work) {
        const Stopwatch watch;
        PreflightRecord record{name, PreflightResult::Passed, {}, 0.0};
        try {
            Finding found = work();
            record.result = found.result;
            record.text = std::move(found.text);
        } catch (const Error& error) {
            record.result = PreflightResult::Failed;
            record.text = error.what();
            failure = failure ? failure : std::optional(error);
        }
        record.seconds = watch.seconds();
        onRecord(record);
    };
    check("checkpoint", [&] { return preflight.checkpoint(); });
    check("free space", [&] { return preflight.freeSpace(); });
    check("data", [&] { return preflight.data(); });
    const bool isAllTested = subject.training.info().hasMasks
                             && subject.config.masked.fold == MaskedDataSettings::kNoFold;
    if (subject.config.split.duplicates != kIgnoreDuplicates && !isAllTested) {
        check("duplicates", [&] { return preflight.duplicates(); });
    }
    if (subject.initial != nullptr) {
        check("weights", [&] { return preflight.initialWeights(); });
    }
    check("memory", [&] { return preflight.memory(); });
    if (!subject.session.plan().phases.front().objective.empty()) {
        check("phases", [&] { return preflight.phases(); });
    }
    const NetworkSpec& network = subject.session.plan().network;
    if (const auto moments = forecastMoments(network, subject.config, subject.initial)) {
        check("moments", [&] { return finding(moments->isTooSlow(), moments->text()); });
    }
    check("devices", [&] { return preflight.devices(); });
    if (failure) {
        throw Error(*failure);
    }
}

} // namespace lockstep
