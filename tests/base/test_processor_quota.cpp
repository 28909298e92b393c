// SPDX-License-Identifier: Apache-2.0
#include "base/processor_quota.h"
#include "support/lockstep_test.h"

#include "support/temporary_folder.h"

#include <fstream>
#include <string>

namespace lockstep {
namespace {

// The control groups of a made-up system, and the file that names those of this process.
class GroupFiles
{
public:
    void file(const std::string& name, const std::string& text) const
    {
        const auto path = m_folder / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    void own(const std::string& lines) const { file("own", lines); }
    [[nodiscard]] std::optional<double> quota() const
    {
        return processorQuota(m_folder / "groups", m_folder / "own");
    }

private:
    test::TemporaryFolder m_folder;
};

} // namespace

class TestProcessorQuota : public QObject
{
    Q_OBJECT

private slots:
    void Quota_nothingTold_isNone();
    void Quota_unlimited_isNone();
    void Quota_ofTheOwnGroup_isItsShare();
    void Quota_ofAGroupAbove_limitsToo();
    void Quota_pathOfTheHost_isThatOfTheContainer();
    void Quota_version1_isItsShare();
    void Quota_version1_ofAnotherController_isNotRead();
};

void TestProcessorQuota::Quota_nothingTold_isNone()
{
    const GroupFiles groups;
    QVERIFY(!groups.quota());
    groups.own("0::/a");
    QVERIFY(!groups.quota());
    groups.file("groups/a/cpu.max", "rubbish");
    QVERIFY(!groups.quota());
}

void TestProcessorQuota::Quota_unlimited_isNone()
{
    const GroupFiles groups;
    groups.own("4:cpu,cpuacct:/b\n0::/a");
    groups.file("groups/a/cpu.max", "max 100000");
    groups.file("groups/cpu/b/cpu.cfs_quota_us", "-1");
    groups.file("groups/cpu/b/cpu.cfs_period_us", "100000");
    QVERIFY(!groups.quota());
}

void TestProcessorQuota::Quota_ofTheOwnGroup_isItsShare()
{
    const GroupFiles groups;
    groups.own("0::/user/train");
    groups.file("groups/user/train/cpu.max", "150000 100000");
    groups.file("groups/user/other/cpu.max", "10000 100000");
    QCOMPARE(groups.quota().value_or(-1.0), 1.5);
}

void TestProcessorQuota::Quota_ofAGroupAbove_limitsToo()
{
    const GroupFiles groups;
    groups.own("0::/user/train");
    groups.file("groups/user/train/cpu.max", "400000 100000");
    groups.file("groups/user/cpu.max", "50000 20000");
    QCOMPARE(groups.quota().value_or(-1.0), 2.5);
}

void TestProcessorQuota::Quota_pathOfTheHost_isThatOfTheContainer()
{
    const GroupFiles groups;
    groups.own("0::/docker/0123");
    groups.file("groups/cpu.max", "200000 100000");
    QCOMPARE(groups.quota().value_or(-1.0), 2.0);
}

void TestProcessorQuota::Quota_version1_isItsShare()
{
    const GroupFiles groups;
    groups.own("9:name=systemd:/\n4:cpu,cpuacct:/docker/0123\n0::/");
    groups.file("groups/cpu/docker/0123/cpu.cfs_quota_us", "50000");
    groups.file("groups/cpu/docker/0123/cpu.cfs_period_us", "100000");
    QCOMPARE(groups.quota().value_or(-1.0), 0.5);
}

void TestProcessorQuota::Quota_version1_ofAnotherController_isNotRead()
{
    const GroupFiles groups;
    groups.own("4:cpuset:/");
    groups.file("groups/cpu/cpu.cfs_quota_us", "50000");
    groups.file("groups/cpu/cpu.cfs_period_us", "100000");
    QVERIFY(!groups.quota());
}

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestProcessorQuota)
#include "test_processor_quota.moc"
