// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/batch_text.h"

#include "engine/base.h"
#include "engine/data.h"
#include "engine/device.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>

namespace lockstep::ui {
namespace {

struct BatchText
{
    Q_DECLARE_TR_FUNCTIONS(BatchWords)
};

struct MemoryText
{
    Q_DECLARE_TR_FUNCTIONS(MemoryText)
};

QString count(std::int64_t number)
{
    return QLocale().toString(static_cast<qlonglong>(number));
}

/// 0.39, 25.6, 7,168.
QString epochsText(double epochs)
{
    const int decimals = epochs < 10.0 ? 2 : epochs < 1000.0 ? 1 : 0;
    return QLocale().toString(epochs, 'f', decimals);
}

QString stepText(const TowerShape& shape)
{
    return shape.towers == 1 ? BatchText::tr("1 tower × %1 = %2 examples a step")
                                   .arg(count(shape.batchPerTower), count(shape.globalBatch()))
                             : BatchText::tr("%1 towers × %2 = %3 examples a step")
                                   .arg(
                                       count(shape.towers), count(shape.batchPerTower),
                                       count(shape.globalBatch()));
}

QString epochText(const BatchArithmetic& batch)
{
    if (batch.wholeStepsPerEpoch == 0) {
        return BatchText::tr("a step goes through the data %1 times")
            .arg(epochsText(1.0 / batch.stepsPerEpoch));
    }
    const QString steps =
        batch.wholeStepsPerEpoch == 1
            ? BatchText::tr("1 step an epoch")
            : BatchText::tr("%1 steps an epoch").arg(count(batch.wholeStepsPerEpoch));
    return batch.carriedExamples == 0 ? BatchText::tr("%1, none carried over").arg(steps)
                                      : BatchText::tr("%1, %2 examples carried over")
                                            .arg(steps, count(batch.carriedExamples));
}

QString runText(std::int64_t steps, const BatchArithmetic& batch)
{
    const QString epochs = epochsText(batch.epochsInRun);
    return steps == 1 ? BatchText::tr("1 step = %1 epochs").arg(epochs)
                      : BatchText::tr("%1 steps = %2 epochs").arg(count(steps), epochs);
}

/// The defaults are those of the network that is built in, and of its optimizer.
std::optional<RateHint> scaledRate(const RunConfig& config)
{
    RunConfig published;
    const std::int64_t batch = config.towerShape().globalBatch();
    const bool isAsItComes = batch == published.towerShape().globalBatch()
                             && config.learningRate.initial == published.learningRate.initial;
    if (config.model.name != published.model.name
        || config.optimizer.name != published.optimizer.name || isAsItComes) {
        return std::nullopt;
    }
    published.towers = 1;
    const std::int64_t baseBatch = published.towerShape().globalBatch();
    return RateHint{
        linearlyScaledRate(published.learningRate.initial, baseBatch, batch), baseBatch};
}

QString lineOf(const DeviceNeed& need)
{
    const QLocale locale;
    const QString device = QString::fromStdString(need.device);
    const QString bytes = locale.formattedDataSize(static_cast<qint64>(need.bytes), 1);
    return need.availableBytes > 0
               ? MemoryText::tr("Needs about %1 of %2 on %3")
                     .arg(bytes, locale.formattedDataSize(need.availableBytes, 1), device)
               : MemoryText::tr("Needs about %1 on %2").arg(bytes, device);
}

} // namespace

QString batchArithmeticText(const RunConfig& given, std::optional<std::int64_t> examples)
{
    try {
        RunConfig config = given;
        config.validate();
        config.takeEpochs(examples.value_or(0));
        const TowerShape shape = config.towerShape();
        const BatchArithmetic batch =
            batchArithmetic(examples.value_or(1), shape.towers, shape.batchPerTower, config.steps);
        return examples
                   ? QStringList{stepText(shape), epochText(batch), runText(config.steps, batch)}
                         .join(QLatin1Char('\n'))
                   : stepText(shape);
    } catch (const Error&) {
        return {};
    }
}

QString rateText(double rate)
{
    constexpr double kSmallest = 1e-6; // below, with its power of ten
    constexpr double kLargest = 1e6;
    const double rounded = QString::number(rate, 'g', 4).toDouble();
    return rate == 0.0 || (std::abs(rate) >= kSmallest && std::abs(rate) < kLargest)
               ? QLocale().toString(rounded, 'f', QLocale::FloatingPointShortest)
               : QLocale().toString(rate, 'g', 4).toLower();
}

QString RateHint::text() const
{
    return baseBatch == 0 ? BatchText::tr("Tried and found best: %1").arg(rateText(rate))
                          : BatchText::tr("Linear scaling from a batch of %1 gives %2")
                                .arg(count(baseBatch), rateText(rate));
}

QString RateHint::source() const
{
    return baseBatch == 0
               ? BatchText::tr("What Find Learning Rate suggests for this run")
               : BatchText::tr(
                   "A batch that is k times as large takes k times the learning rate: Goyal et "
                   "al., “Accurate, Large Minibatch SGD”, 2017, arXiv:1706.02677. They let the "
                   "rate rise over the first epochs (learning_rate.warmup); and the rule ends "
                   "where the batch gets too large. It starts from the rate that the network was "
                   "published with.");
}

std::optional<RateHint> rateHint(const RunConfig& config, std::optional<double> found)
{
    constexpr double kEqual = 1e-6;
    try {
        config.validate();
        if (config.trainedPhases().front().learningRate || found == 0.0) {
            return std::nullopt;
        }
        const auto hint = found ? std::optional(RateHint{*found}) : scaledRate(config);
        const bool isThere =
            hint && std::abs(config.learningRate.initial / hint->rate - 1.0) < kEqual;
        return isThere ? std::nullopt : hint;
    } catch (const Error&) {
        return std::nullopt;
    }
}

QString rateWarning(const RunConfig& config)
{
    constexpr double kLargest = 1000.0;
    std::vector<double> rates;
    for (const PhaseSettings& phase : config.trainedPhases()) {
        rates.push_back(phase.learningRate.value_or(config.learningRate.initial));
    }
    const auto [least, most] = std::ranges::minmax(rates); // of one phase at least
    return most > kLargest ? BatchText::tr("So large a rate makes the loss infinite in a few steps")
           : least == 0.0  ? BatchText::tr("With a rate of 0 the weights never change")
                           : QString();
}

std::shared_ptr<const MemoryNote> memoryNote(const RunConfig& given)
{
    try {
        RunConfig config = given;
        config.validate();
        if (config.algorithms.empty()) {
            config.algorithms = "first"; // untimed
        }
        const auto note = std::make_shared<MemoryNote>();
        if (describeDevice(config.device).name == "cpu") {
            return note;
        }
        QStringList lines;
        for (const DeviceNeed& need : planRunMemory(config)) {
            lines.append(lineOf(need));
            note->isTooMuch |= need.availableBytes > 0
                               && need.bytes > static_cast<std::size_t>(need.availableBytes);
        }
        note->text = lines.join(QLatin1Char('\n'));
        return note;
    } catch (const std::exception&) {
        return nullptr;
    }
}

} // namespace lockstep::ui
