// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/live_run.h"
#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "ui/session_witness.h"

namespace lockstep::ui {

/// What accelerators tell of themselves, on its way from the engine to the window.
class TestLiveRunOnGpus : public QObject
{
    Q_OBJECT
private slots:
    void Run_onGpus_tellsOfThemLive()
    {
        test::resetFakeLibraries();
        emulation::MachineSettings machine;
        machine.devices = 2;
        emulation::reset(machine);
        SessionWitness witness;
        LiveRun run(witness.controller);
        std::vector<DeviceReadingRecord> readings;
        connect(
            &run.feed(), &RunFeed::deviceReadingArrived, this,
            [&](const DeviceReadingRecord& record) {
                QCOMPARE(run.seats().size(), std::size_t{2}); // is known before
                readings.push_back(record);
            });
        RunConfig config = smallConfig(kEndless);
        config.device = "cuda";
        witness.start(config);
        QTRY_VERIFY(readings.size() >= 6); // with the processors, each twice
        witness.controller.send(command::Pause{});
        WAIT_FOR(Paused);
        const std::size_t before = readings.size();
        QTRY_VERIFY(readings.size() >= before + 3);
        witness.controller.send(command::Stop{});
        WAIT_FOR(Stopped);
        QCOMPARE(run.seats()[1].device, "cuda:1");
        QCOMPARE(readings[1].device, std::string("cuda:1"));
        QCOMPARE(readings[1].temperature, 51.0);
        QCOMPARE(readings[1].throttleReason, std::string("power limit"));
        QCOMPARE(readings[2].device, std::string("cpu"));
        const RunStoreReader reader(RunFolder::storeFileOf(witness.run()));
        QCOMPARE(reader.deviceReadings().size(), readings.size());
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestLiveRunOnGpus)
#include "test_live_run_on_gpus.moc"
