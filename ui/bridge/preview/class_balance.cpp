// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/class_balance.h"

#include "engine/config.h"

#include <string>

namespace lockstep::ui {

ClassBalance countClasses(const RunConfig& config, PreviewData& data, const LoadProgress& progress)
{
    config.validate();
    const Dataset& training = data.open(config, Split::Train, progress);
    const Dataset& test = data.open(config, Split::Test, progress);
    ClassBalance balance;
    const auto& ofTraining = training.info().classNames;
    const auto& ofTest = test.info().classNames;
    // Records may name more classes in one split than in the other.
    for (const std::string& name : ofTest.size() > ofTraining.size() ? ofTest : ofTraining) {
        balance.classNames.push_back(QString::fromStdString(name));
    }
    balance.train = examplesPerClass(training);
    balance.test = examplesPerClass(test);
    balance.firstClass = hasBackgroundClass(config.model) ? 1 : 0;
    balance.isTrainedBalanced = trainingOrderOf(config) == ExampleOrder::Balanced;
    balance.train.resize(balance.classNames.size());
    balance.test.resize(balance.classNames.size());
    return balance;
}

} // namespace lockstep::ui
