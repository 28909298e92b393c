// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/file_names.h"
#include "bridge/validation/dataset_download.h"
#include "engine/data.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QLineEdit>

#include <deque>
#include <filesystem>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lockstep::ui {

class IconLabel;

/// Where a transfer stands: "1 of 3: downloading · 42.1 MiB of 162.6 MiB · 5.3 MiB/s · 25 s left".
/// The last two are left out while the rate is 0. In decimal units, as a browser's downloads have
/// them.
QString transferText(qint64 bytes, qint64 total, double bytesPerSecond);

/// How fast something comes in: over the last seconds, so that the figure neither jumps with every
/// block nor tells of a speed that was long ago. What was there at the beginning does not count.
class TransferRate
{
public:
    static constexpr double kWindowSeconds = 4.0;

    void clear() { m_samples.clear(); }
    /// `bytes` so far, at `seconds` on any clock that never runs backwards. Fewer bytes than
    /// before: it was begun anew.
    void add(double seconds, qint64 bytes);
    /// 0 while nothing can be said, within the first tenths of a second.
    [[nodiscard]] double bytesPerSecond() const;

private:
    struct Sample
    {
        double seconds;
        qint64 bytes;
    };
    std::deque<Sample> m_samples;
};

/// "Get CIFAR-10": asks for a folder, fetches the official archive, checks and unpacks it. Not
/// modal. Hidden, it goes on and comes to the same end; what a cancelled or broken download left is
/// gone on with by the next. Destroyed, it cancels.
class Cifar10Dialog : public QDialog
{
    Q_OBJECT

public:
    /// `archive`: what is fetched.
    explicit Cifar10Dialog(QWidget* parent, const Cifar10Archive& archive = Cifar10Archive());

    /// The folder that cifar-10-batches-bin is made in.
    void setFolder(const std::filesystem::path& folder) { m_folder->setText(toQString(folder)); }
    [[nodiscard]] std::filesystem::path folder() const { return toPath(m_folder->text()); }
    [[nodiscard]] bool isRunning() const { return m_download.isRunning(); }

public slots:
    /// As the button does. Does nothing while a download is running or without a folder.
    void start();

signals:
    /// Valid data is in this folder, cifar-10-batches-bin.
    void ready(const std::filesystem::path& folder);

private:
    enum class Stage { Idle, Running, Cancelling, Cancelled, Failed, Done };

    [[nodiscard]] QLayout* makeFolderRow();
    [[nodiscard]] QLayout* makeButtons();
    void connectDownload();

    void enter(Stage stage, const QString& message = {});
    void showProgress(DownloadPhase phase, qint64 bytes, qint64 total);

    const Cifar10Archive m_archive;
    Stage m_stage = Stage::Idle;
    QLineEdit* m_folder;
    QPushButton* m_browse;
    QProgressBar* m_bar;
    QLabel* m_status;
    IconLabel* m_mark;
    QLabel* m_message;
    QPushButton* m_get;
    QPushButton* m_cancel;
    QPushButton* m_close;

    QElapsedTimer m_clock;
    TransferRate m_rate;
    DatasetDownload m_download;
};

} // namespace lockstep::ui
