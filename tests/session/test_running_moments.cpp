// SPDX-License-Identifier: Apache-2.0
// Whether a run is long enough for its running moments: 0.9997 to the power of 10,000 is 5 %.
#include "network/models/model_settings.h"
#include "session/run/running_moments.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;

namespace {

std::optional<MomentForecast> forecastOf(const RunConfig& config)
{
    return forecastMoments(makeNetwork(config.model), config);
}

RunConfig inception(std::int64_t steps)
{
    RunConfig config;
    config.model.name = "inception_v3";
    config.steps = steps;
    return config;
}

} // namespace

class TestRunningMoments : public QObject
{
    Q_OBJECT

private slots:
    void ShortRun_isTooShort_forASlowDecay()
    {
        const auto forecast = forecastOf(inception(1000)).value();
        QCOMPARE(forecast.decay, 0.9997);
        // exp(-0.3), except for 0.02 %
        QVERIFY(std::abs(forecast.initialShare() - 0.7408) < 1e-3);
        QVERIFY(forecast.isTooSlow());
        const QString text = QString::fromStdString(forecast.text());
        for (const char* word : {"0.9997", "1000 steps", "74 %", "model.moment_ramp"}) {
            QVERIFY2(text.contains(word), qPrintable(text));
        }
        QVERIFY(forecastOf(inception(9900))->isTooSlow());
    }

    void LongRun_orFasterDecay_orRamp_isEnough()
    {
        QVERIFY(!forecastOf(inception(10'000))->isTooSlow());
        RunConfig faster = inception(1000);
        faster.model.momentDecay = 0.99;
        QVERIFY(!forecastOf(faster)->isTooSlow());
        RunConfig ramped = inception(10);
        ramped.momentRamp = true;
        QVERIFY(!forecastOf(ramped)->isTooSlow());
        const QString text = QString::fromStdString(forecastOf(ramped)->text());
        QVERIFY2(!text.contains("model."), qPrintable(text));
    }

    void TakenMoments_areNotForecast()
    {
        RunConfig config = inception(1000);
        config.initialWeights.checkpoint = "source.safetensors";
        const NetworkSpec network = makeNetwork(config.model);
        InitialWeights initial;
        for (const ParameterSpec& parameter : network.parameters) {
            initial.tensors.push_back({parameter.name, parameter.shape});
        }
        QVERIFY(!forecastMoments(network, config, &initial).has_value());
        QVERIFY(!forecastMoments(network, config).has_value()); // it goes on
        const auto statistic =
            std::ranges::find_if(network.parameters, &ParameterSpec::isStatistic);
        const auto place = static_cast<std::size_t>(statistic - network.parameters.begin());
        initial.tensors[place].kind = InitialTensorKind::Missing;
        QVERIFY(forecastMoments(network, config, &initial).value().isTooSlow());
    }

    void Networks_thatDontEvaluateWithMovedMoments_haveNone()
    {
        QVERIFY(!forecastOf(RunConfig()).has_value()); // cifar10 has none
        RunConfig config = inception(10);
        config.model.normalization = "moving";
        QVERIFY(!forecastOf(config).has_value());
        config = RunConfig();
        config.model.name = "segdecnet"; // normalises each image alone
        QVERIFY(!forecastOf(config).has_value());
        config.model.normalization = "synchronised";
        QVERIFY(forecastOf(config).has_value());
    }
};

LOCKSTEP_TEST(TestRunningMoments)
#include "test_running_moments.moc"
