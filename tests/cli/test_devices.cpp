// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <QDir>
#include <QFile>
#include <QLibrary>
#include <QTemporaryDir>

using namespace lockstep::test;

/// How the program finds the CUDA half, and what it says where it can't be used.
class TestDevices : public QObject
{
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_drivers.isValid()); }
    void cleanup();
    void Cuda_notToBeUsed_saysWhy_data();
    void Cuda_notToBeUsed_saysWhy();
    void Cuda_mendable_namesTheCommand_data();
    void Cuda_mendable_namesTheCommand();
    void Cuda_noDriver_saysOnlyThat();
    void Cuda_brokenDriver_saysOnlyThat();
    void Cuda_twoGpus_areListed();
    void Cuda_numberThatIsNotThere_saysWhichAre();
    void Cuda_gpuThatDoesNotStart_isAnError();
    void Programs_needNoLibraryOfNvidia();

private:
    /// With a driver's library that is there but empty, and this in place of our CUDA half.
    void pretend(const QString& library);

    QTemporaryDir m_drivers;
};

void TestDevices::cleanup()
{
    qunsetenv("LD_LIBRARY_PATH");
    qunsetenv("LOCKSTEP_CUDA_LIBRARY");
}

void TestDevices::pretend(const QString& library)
{
    QFile::copy(LOCKSTEP_FAKE_DRIVER, m_drivers.filePath("libcuda.so.1"));
    qputenv("LD_LIBRARY_PATH", m_drivers.path().toLocal8Bit());
    qputenv("LOCKSTEP_CUDA_LIBRARY", library.toLocal8Bit());
}

void TestDevices::Cuda_notToBeUsed_saysWhy_data()
{
    const QString folder = LOCKSTEP_FAKE_FOLDER;
    addRows<QString, QString>(
        {"library", "reason"},
        {{"no half", "", "this build has no CUDA half"},
         {"no such file", folder + "/nothing.so", "can't be opened"},
         {"not a library", LOCKSTEP_SMALL_MODEL, "can't be opened"},
         {"no entry", folder + "/libfake_cuda_no_entry.so", "another version of Lockstep"},
         {"other version", folder + "/libfake_cuda_version.so", "another version of Lockstep"},
         {"no cuDNN", folder + "/libfake_cuda_no_cudnn.so", "cuDNN 9 is not installed"},
         {"no NCCL", folder + "/libfake_cuda_no_nccl.so", "NCCL 2 is not installed"},
         {"old driver", folder + "/libfake_cuda_old_driver.so", "driver is too old: fake 12.4"},
         {"no GPU", folder + "/libfake_cuda_none.so", "sees no GPU"}});
}

void TestDevices::Cuda_notToBeUsed_saysWhy()
{
    QFETCH(QString, library);
    QFETCH(QString, reason);
    pretend(library);
    const Outcome listed = runProgram({"devices"});
    QVERIFY2(listed.exitCode == 0, listed.text().constData());
    QVERIFY2(listed.out.contains("cuda   not available: "), listed.text().constData());
    QVERIFY2(listed.out.contains(reason.toUtf8()), listed.text().constData());
    const Outcome strict = runProgram({"selftest", "--device", "cuda:0"});
    QVERIFY2(strict.exitCode == 2, strict.text().constData());
    QVERIFY2(strict.err.contains(reason.toUtf8()), strict.text().constData());
}

void TestDevices::Cuda_mendable_namesTheCommand_data()
{
    QTest::addColumn<QString>("library");
    const QString folder = LOCKSTEP_FAKE_FOLDER;
    QTest::newRow("no half") << "";
    QTest::newRow("other version") << folder + "/libfake_cuda_version.so";
    QTest::newRow("no cuDNN") << folder + "/libfake_cuda_no_cudnn.so";
    QTest::newRow("no NCCL") << folder + "/libfake_cuda_no_nccl.so";
}

void TestDevices::Cuda_mendable_namesTheCommand()
{
    QFETCH(QString, library);
    pretend(library);
    const Outcome listed = runProgram({"devices"});
    QVERIFY2(listed.out.contains("run \"app/run.sh devices\""), listed.text().constData());
}

void TestDevices::Cuda_noDriver_saysOnlyThat()
{
    if (QLibrary("libcuda.so.1").load()) {
        QSKIP("this machine has an NVIDIA driver");
    }
    const Outcome listed = runProgram({"devices"});
    QVERIFY2(
        listed.out.endsWith("cuda   not available: no NVIDIA driver was found\n"),
        listed.text().constData());
}

void TestDevices::Cuda_brokenDriver_saysOnlyThat()
{
    // It hides the machine's own.
    const QTemporaryDir drivers;
    QVERIFY(QFile::copy(LOCKSTEP_SMALL_MODEL, drivers.filePath("libcuda.so.1")));
    qputenv("LD_LIBRARY_PATH", drivers.path().toLocal8Bit());
    qputenv("LOCKSTEP_CUDA_LIBRARY", "");
    const Outcome listed = runProgram({"devices"});
    QVERIFY2(
        listed.out.contains("cuda   not available: the NVIDIA driver can't be opened ("),
        listed.text().constData());
    QVERIFY2(!listed.out.contains("CUDA half"), listed.text().constData());
    QVERIFY2(!listed.out.contains("run.sh"), listed.text().constData());
}

void TestDevices::Cuda_twoGpus_areListed()
{
    pretend(LOCKSTEP_FAKE_FOLDER "/libfake_cuda_two_gpus.so");
    const Outcome listed = runProgram({"devices"});
    QVERIFY2(listed.out.contains("cuda:0 Fake GPU"), listed.text().constData());
    QVERIFY2(listed.out.contains("cuda:1 Fake GPU"), listed.text().constData());
    const Outcome json = runProgram({"devices", "--json"});
    QVERIFY2(json.out.contains("\"cuda:1\""), json.text().constData());
    // And what they do now.
    QVERIFY2(
        listed.out.contains("; 100.0 GiB free, load 50 %, used by python3 (4711)"),
        listed.text().constData());
    QVERIFY2(json.out.contains("\"memory_free_bytes\":107374182400"), json.text().constData());
    QVERIFY2(json.out.contains("\"process\":4711"), json.text().constData());
}

void TestDevices::Cuda_numberThatIsNotThere_saysWhichAre()
{
    pretend(LOCKSTEP_FAKE_FOLDER "/libfake_cuda_two_gpus.so");
    for (const char* device : {"cuda:2", "cuda:0,7"}) {
        const Outcome outcome = runProgram({"selftest", "--device", device});
        QVERIFY2(outcome.exitCode == 2, outcome.text().constData());
        QVERIFY2(outcome.err.contains("this machine has 2 (0 to 1)"), outcome.text().constData());
    }
    for (const char* device : {"cuda:", "cuda:x", "cuda:0,0", "cuda:-1", "cuda:1,"}) {
        const Outcome outcome = runProgram({"selftest", "--device", device});
        QVERIFY2(outcome.exitCode == 2, outcome.text().constData());
        QVERIFY2(outcome.err.contains("is not known"), outcome.text().constData());
    }
}

void TestDevices::Cuda_gpuThatDoesNotStart_isAnError()
{
    pretend(LOCKSTEP_FAKE_FOLDER "/libfake_cuda_two_gpus.so");
    const Outcome outcome = runProgram({"selftest", "--device", "cuda:1"});
    QVERIFY2(outcome.isExited && outcome.exitCode != 0, outcome.text().constData());
    QVERIFY2(outcome.err.contains("fake GPU 1 does not start"), outcome.text().constData());
}

void TestDevices::Programs_needNoLibraryOfNvidia()
{
    QProcess ldd;
    ldd.start("ldd", {LOCKSTEP_TRAIN_PROGRAM});
    QVERIFY(ldd.waitForFinished());
    const QByteArray libraries = ldd.readAllStandardOutput();
    QVERIFY2(libraries.contains("libc.so"), libraries.constData());
    for (const char* name : {"libcuda", "libcudnn", "libcublas", "libnccl", "libnvidia"}) {
        QVERIFY2(!libraries.contains(name), libraries.constData());
    }
}

LOCKSTEP_TEST(TestDevices)
#include "test_devices.moc"
