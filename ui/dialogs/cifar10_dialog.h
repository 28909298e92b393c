// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/dataset_download.h"
#include "dialogs/download_text.h"
#include "engine/data.h"

#include <QDialog>
#include <QElapsedTimer>

#include <filesystem>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace lockstep::ui {

/// "Get CIFAR-10": asks for a folder, fetches the official archive, checks and unpacks it. Not
/// modal. Hidden, it goes on and comes to the same end; what a cancelled or broken download left is
/// gone on with by the next. Destroyed, it cancels.
class Cifar10Dialog : public QDialog
{
    Q_OBJECT

public:
    explicit Cifar10Dialog(QWidget* parent = nullptr);

    /// The folder that cifar-10-batches-bin is made in.
    void setFolder(const std::filesystem::path& folder);
    [[nodiscard]] std::filesystem::path folder() const;
    [[nodiscard]] bool isRunning() const { return m_download.isRunning(); }

    /// Fetches this archive, and so do the buttons from then on.
    void start(const Cifar10Archive& archive);

public slots:
    /// As the button does. Does nothing while a download is running or without a folder.
    void start();

signals:
    /// Valid data is in this folder, cifar-10-batches-bin.
    void ready(const std::filesystem::path& folder);

private:
    enum class Stage { Idle, Running, Cancelling, Cancelled, Failed, Done };

    [[nodiscard]] QLayout* makeFolderRow();
    [[nodiscard]] QLayout* makeMessage();
    [[nodiscard]] QLayout* makeButtons();
    void connectDownload();

    void browse();
    void cancel();
    void enter(Stage stage, const QString& message = {});
    void showMark();
    void showButtons(bool isBusy);
    void showProgress(DownloadPhase phase, qint64 bytes, qint64 total);
    void finish(const std::filesystem::path& folder, bool wasThere);
    void changeEvent(QEvent* event) override;

    Cifar10Archive m_archive;
    Stage m_stage = Stage::Idle;
    QLineEdit* m_folder;
    QPushButton* m_browse;
    QProgressBar* m_bar;
    QLabel* m_status;
    QLabel* m_mark;
    QLabel* m_message;
    QPushButton* m_get;
    QPushButton* m_cancel;
    QPushButton* m_close;

    QElapsedTimer m_clock;
    TransferRate m_rate;
    DatasetDownload m_download;
};

} // namespace lockstep::ui
