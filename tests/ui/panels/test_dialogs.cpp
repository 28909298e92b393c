// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/readers/device_history.h"
#include "dataset/download_scene.h"
#include "dialogs/about_dialog.h"
#include "dialogs/cifar10_dialog.h"
#include "dialogs/library_table.h"
#include "dialogs/shortcuts_dialog.h"
#include "engine/base.h"
#include "engine/device.h"
#include "engine/storage.h"
#include "panels/runs/run_results.h"
#include "storage/steps.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QtWidgets>

#include <filesystem>
#include <limits>
#include <string>

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::ui;

namespace {

QPushButton& button(const QDialog& dialog, const char* name)
{
    auto* found = dialog.findChild<QPushButton*>(name);
    return *found;
}

/// All that the dialog says.
QString words(const QDialog& dialog)
{
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>()) {
        texts.append(label->text());
    }
    return texts.join('\n');
}

std::vector<DeviceRow> someDevices()
{
    DeviceRow cpu;
    cpu.name = "cpu";
    cpu.description = "A processor, AVX-512";
    cpu.library = "oneDNN 2.6.3";
    cpu.processors = 16;
    cpu.memoryBytes = qint64{64} << 30;
    cpu.precisions = {"float32"};
    cpu.isAvailable = true;
    DeviceRow cuda;
    cuda.name = "cuda";
    cuda.reason = "there is no driver";
    return {cpu, cuda};
}

/// The keys that the dialog shows for an action of a group.
QString keysOf(const QDialog& dialog, const QString& group, const QString& action)
{
    const auto* list = dialog.findChild<QTreeWidget*>();
    for (int i = 0; i < list->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* top = list->topLevelItem(i);
        for (int k = 0; top->text(0) == group && k < top->childCount(); ++k) {
            if (top->child(k)->text(0) == action) {
                return top->child(k)->text(1);
            }
        }
    }
    return {};
}

/// A server that falls silent after the first kCut bytes.
void makeStall(DownloadScene& scene)
{
    scene.server.behave({.content = goodArchive(), .bytesBeforeEnd = kCut, .stalls = true});
}

} // namespace

class TestDialogs : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        // A proxy of the environment must not come between the tests and their own server.
        qputenv("no_proxy", "127.0.0.1");
    }

    void Download_goodServer_endsReadyWithTheFolder()
    {
        const DownloadScene scene;
        Cifar10Dialog dialog(nullptr, scene.archive);
        const QSignalSpy ready(&dialog, &Cifar10Dialog::ready);
        dialog.setFolder(scene.directory());
        dialog.start();
        QVERIFY(dialog.isRunning());
        QVERIFY(!button(dialog, "get").isEnabled());
        QVERIFY(button(dialog, "cancel").isEnabled());
        QTRY_COMPARE(ready.size(), 1);
        QCOMPARE(ready[0][0].value<std::filesystem::path>(), scene.target());
        QVERIFY(scene.isComplete());
        QVERIFY(words(dialog).contains(toQString(scene.target())));
        const auto* bar = dialog.findChild<QProgressBar*>();
        QCOMPARE(bar->value(), bar->maximum());
        QVERIFY(!button(dialog, "get").isEnabled());
        QVERIFY(!button(dialog, "cancel").isEnabled());
    }

    void Download_dataThere_saysSoAndIsReady()
    {
        const DownloadScene scene;
        scene.download();
        Cifar10Dialog dialog(nullptr, scene.archive);
        const QSignalSpy ready(&dialog, &Cifar10Dialog::ready);
        dialog.setFolder(scene.directory());
        dialog.start();
        QTRY_COMPARE(ready.size(), 1);
        QVERIFY2(words(dialog).contains("already"), qPrintable(words(dialog)));
    }

    void Download_hiddenWhileRunning_goesOn()
    {
        DownloadScene scene;
        makeStall(scene);
        Cifar10Dialog dialog(nullptr, scene.archive);
        const QSignalSpy ready(&dialog, &Cifar10Dialog::ready);
        dialog.setFolder(scene.directory());
        dialog.show();
        QCOMPARE(button(dialog, "close").text(), "C&lose");
        dialog.start();
        QCOMPARE(button(dialog, "close").text(), "&Hide");
        button(dialog, "close").click();
        QVERIFY(!dialog.isVisible());
        QVERIFY(dialog.isRunning());
        // Shown again by the window, it is where it was, and its Cancel works.
        dialog.show();
        QTRY_VERIFY(dialog.findChild<QProgressBar*>()->value() > 0);
        button(dialog, "cancel").click();
        QTRY_VERIFY(!dialog.isRunning());
        // Hidden for good: it ends all the same.
        scene.server.behave({.content = goodArchive()});
        button(dialog, "get").click();
        dialog.reject();
        QTRY_COMPARE(ready.size(), 1);
    }

    void Download_cancelled_goesOnFromWhereItStopped()
    {
        DownloadScene scene;
        makeStall(scene);
        Cifar10Dialog dialog(nullptr, scene.archive);
        const QSignalSpy ready(&dialog, &Cifar10Dialog::ready);
        dialog.setFolder(scene.directory());
        dialog.start();
        QTRY_VERIFY(dialog.findChild<QProgressBar*>()->value() > 0);
        button(dialog, "cancel").click();
        QVERIFY(!button(dialog, "cancel").isEnabled());
        QTRY_VERIFY(!dialog.isRunning());
        QCOMPARE(button(dialog, "get").text(), "&Go On");
        QVERIFY2(words(dialog).contains("is kept"), qPrintable(words(dialog)));
        QVERIFY(std::filesystem::exists(scene.part()));
        scene.server.behave({.content = goodArchive()});
        button(dialog, "get").click();
        QTRY_COMPARE(ready.size(), 1);
        QVERIFY(scene.isComplete());
        QVERIFY(!scene.server.requests().back().range.empty()); // only the rest was fetched
    }

    void Download_failing_saysWhyAndIsTriedAgain()
    {
        DownloadScene scene;
        scene.server.behave({.content = goodArchive(), .status = 404});
        Cifar10Dialog dialog(nullptr, scene.archive);
        dialog.resize(360, 200);
        const QSignalSpy ready(&dialog, &Cifar10Dialog::ready);
        dialog.setFolder(scene.directory());
        dialog.start();
        QTRY_VERIFY(!dialog.isRunning());
        QVERIFY2(words(dialog).contains("404"), qPrintable(words(dialog)));
        QVERIFY(words(dialog).contains("Check the connection"));
        QCOMPARE(button(dialog, "get").text(), "&Try Again");
        // However narrow the window is, the words have room.
        QVERIFY(dialog.height() >= dialog.layout()->totalHeightForWidth(dialog.width()));
        scene.server.behave({.content = goodArchive()});
        button(dialog, "get").click();
        QTRY_COMPARE(ready.size(), 1);
        QVERIFY2(!words(dialog).contains("404"), qPrintable(words(dialog)));
    }

    void Download_withoutFolder_cannotBegin()
    {
        Cifar10Dialog dialog(nullptr);
        QCOMPARE(dialog.folder(), standardDatasetsFolder());
        QVERIFY(button(dialog, "get").isEnabled());
        dialog.findChild<QLineEdit*>()->clear();
        QVERIFY(!button(dialog, "get").isEnabled());
        QVERIFY(words(dialog).contains("Choose a folder"));
        dialog.start();
        QVERIFY(!dialog.isRunning());
    }

    void Rate_evenTransfer_isBytesPerSecond()
    {
        TransferRate rate;
        QCOMPARE(rate.bytesPerSecond(), 0.0);
        // A million bytes were there at the beginning; half a million more come each second.
        for (int i = 0; i <= 40; ++i) {
            rate.add(i * 0.25, 1'000'000 + i * 125'000);
        }
        QCOMPARE(rate.bytesPerSecond(), 500'000.0);
        // The server began anew.
        rate.add(10.25, 0);
        QCOMPARE(rate.bytesPerSecond(), 0.0);
    }

    void Rate_changedSpeed_forgetsTheOldOne()
    {
        TransferRate rate;
        qint64 bytes = 0;
        double seconds = 0.0;
        const auto run = [&](double duration, qint64 bytesPerSecond) {
            for (int i = 0; i < duration * 4; ++i) {
                seconds += 0.25;
                bytes += bytesPerSecond / 4;
                rate.add(seconds, bytes);
            }
        };
        run(60.0, 8'000'000);
        run(TransferRate::kWindowSeconds + 1.0, 2'000'000);
        QCOMPARE(rate.bytesPerSecond(), 2'000'000.0);
    }

    void Transfer_inWords_hasBytesRateAndRest()
    {
        constexpr qint64 kMebibyte = 1 << 20;
        const QLocale before;
        QLocale::setDefault(QLocale::c());
        QCOMPARE(
            transferText(42 * kMebibyte, 162 * kMebibyte, 5.0 * kMebibyte),
            "1 of 3: downloading · 42.0 MiB of 162.0 MiB · 5.0 MiB/s · 24 s left");
        QCOMPARE(
            transferText(kMebibyte / 8, 162 * kMebibyte, 1.0 * kMebibyte),
            "1 of 3: downloading · 128.0 KiB of 162.0 MiB · 1.0 MiB/s · 3 min left");
        QCOMPARE(
            transferText(0, 162 * kMebibyte, 0.0), "1 of 3: downloading · 0 bytes of 162.0 MiB");
        QVERIFY(words(Cifar10Dialog(nullptr)).contains("162 MiB")); // as the form says
        QLocale::setDefault(before);
    }

    void Devices_missingOne_isGreyAndSaysWhy()
    {
        const DevicesDialog dialog(someDevices());
        const auto tables = dialog.findChildren<QTableView*>();
        QCOMPARE(tables.size(), 2);
        const QAbstractItemModel& model = *tables.front()->model();
        QCOMPARE(model.rowCount(), 2);
        const QModelIndex missing = model.index(1, DeviceModel::Description);
        QVERIFY(!missing.flags().testFlag(Qt::ItemIsEnabled));
        QCOMPARE(missing.data().toString(), "there is no driver");
    }

    void Devices_copy_putsEverythingOnTheClipboard()
    {
        const DevicesDialog dialog(someDevices());
        button(dialog, "copy").click();
        const QString text = QGuiApplication::clipboard()->text();
        const QStringList parts{
            QString("Lockstep %1 (%2)\n")
                .arg(QString::fromStdString(versionText()), QString::fromStdString(revisionText())),
            "cpu | A processor, AVX-512 | 16 | ",
            "oneDNN 2.6.3",
            "cuda | there is no driver",
            QString("Qt %1\n").arg(qVersion()),
            compilerVersion()};
        for (const QString& part : parts) {
            QVERIFY2(text.contains(part), qPrintable(part + " in " + text));
        }
    }

    void Libraries_ofThisProgram_haveVersions()
    {
        const auto libraries = libraryVersions(deviceRows(findDevices()));
        const QRegularExpression version(R"(^\d+\.\d+(\.\d+)*$)");
        QStringList names;
        for (const LibraryVersion& library : libraries) {
            QVERIFY2(
                version.match(library.version).hasMatch(),
                qPrintable(library.name + ' ' + library.version));
            QVERIFY(!library.use.isEmpty());
            QVERIFY2(!names.contains(library.name), qPrintable(library.name));
            names.append(library.name);
        }
        QVERIFY(names.contains("oneDNN"));
        QVERIFY(names.contains("libarchive"));
    }

    void Shortcuts_ofActions_standUnderTheirGroups()
    {
        QAction start("&Start");
        start.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_R));
        start.setProperty("group", "&Run");
        QAction weights("Weights && &Gradients");
        weights.setShortcuts({QKeySequence(Qt::Key_F5), QKeySequence(Qt::Key_F6)});
        weights.setProperty("group", "&View");
        QAction none("None");
        none.setProperty("group", "&Run");
        const ShortcutsDialog dialog({&start, &weights, &none});
        QCOMPARE(keysOf(dialog, "Run", "Start"), "Ctrl+R");
        QCOMPARE(keysOf(dialog, "View", "Weights & Gradients"), "F5; F6");
        const auto* list = dialog.findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItemCount(), 3);
        QCOMPARE(list->topLevelItem(0)->childCount(), 1); // what has no key is not shown
    }

    void Shortcuts_ofCharts_areThereToo()
    {
        const ShortcutsDialog dialog({});
        const QString charts = "Charts";
        QCOMPARE(keysOf(dialog, charts, "Follow the newest step"), "End");
        QCOMPARE(keysOf(dialog, charts, "Logarithmic y axis"), "L");
    }

    /// Weight decay is in the loss of an older program, and nobody knows how much of it.
    void Comparison_withARunOfAnOlderProgram_callsNoLossBetter()
    {
        const TemporaryFolder folder;
        for (const char* const name : {"older", "newer"}) {
            std::filesystem::create_directory(folder / name);
            RunStore store(RunFolder::storeFileOf(folder / name));
            store.startBranch(exampleBranch(2));
            StepRecord step = exampleStep(0, 2);
            if (name == std::string("older")) {
                step.weightDecayLoss = std::numeric_limits<double>::quiet_NaN();
            }
            store.append(step);
            store.close();
        }
        const auto lowest = [&](const char* first, const char* second) {
            return compareResults(folder / first, folder / second).at(2);
        };
        QCOMPARE(lowest("newer", "newer").name, "Lowest cross-entropy of a step");
        for (const ComparedResult& result : {lowest("older", "newer"), lowest("newer", "older")}) {
            QCOMPARE(result.name, "Lowest loss of a step");
            QVERIFY(result.first != result.second);
            QCOMPARE(result.better, 0);
        }
    }

    void About_always_namesVersionLicencesAndLibraries()
    {
        const AboutDialog dialog(someDevices());
        const QString text = words(dialog);
        QVERIFY(text.contains(QString("Lockstep %1").arg(QString::fromStdString(versionText()))));
        static const QRegularExpression commit("Revision ([0-9a-f]{12}(-dirty)?|unknown)");
        QVERIFY2(text.contains(commit), qPrintable(text));
        QVERIFY(text.contains("GNU General Public License, version 3 or later"));
        QVERIFY(text.contains("Apache License 2.0"));
        const auto* table = dialog.findChild<LibraryTable*>();
        const auto found = table->findItems("Qt Charts", Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        const auto* licence = table->item(found[0]->row(), LibraryTable::Licence);
        QCOMPARE(licence->text(), "GPL-3.0-only");
    }
};
LOCKSTEP_TEST(TestDialogs)
#include "test_dialogs.moc"
