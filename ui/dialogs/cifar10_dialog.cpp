// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/cifar10_dialog.h"

#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QFileDialog>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kBarSteps = 1000;
constexpr int kMarkSize = 20;
constexpr double kLeastSeconds = 0.4;          // before which a rate says nothing
constexpr qint64 kUnpackedBytes = 184'380'000; // 60,000 records of 3,073 bytes
constexpr qint64 kNeededBytes = 350'000'000;   // as downloadCifar10() says

QString bytesText(qint64 bytes, int decimals)
{
    return QLocale().formattedDataSize(bytes, decimals);
}

QString leftText(double seconds)
{
    constexpr double kMostSeconds = 90.0;
    return seconds < kMostSeconds ? Cifar10Dialog::tr("%1 s left").arg(std::ceil(seconds))
                                  : Cifar10Dialog::tr("%1 min left").arg(std::ceil(seconds / 60.0));
}

} // namespace

QString transferText(qint64 bytes, qint64 total, double bytesPerSecond)
{
    QString text = Cifar10Dialog::tr("1 of 3: downloading · %1 of %2")
                       .arg(bytesText(bytes, 1), bytesText(total, 1));
    if (bytesPerSecond <= 0.0) {
        return text;
    }
    const double left = static_cast<double>(total - bytes) / bytesPerSecond;
    return Cifar10Dialog::tr("%1 · %2/s · %3")
        .arg(text, bytesText(std::llround(bytesPerSecond), 1), leftText(left));
}

void TransferRate::add(double seconds, qint64 bytes)
{
    if (!m_samples.empty() && bytes < m_samples.back().bytes) {
        m_samples.clear();
    }
    m_samples.push_back({seconds, bytes});
    while (m_samples.size() > 2 && seconds - m_samples[1].seconds >= kWindowSeconds) {
        m_samples.pop_front();
    }
}

double TransferRate::bytesPerSecond() const
{
    if (m_samples.empty()) {
        return 0.0;
    }
    const Sample& first = m_samples.front();
    const Sample& last = m_samples.back();
    const double seconds = last.seconds - first.seconds;
    return seconds < kLeastSeconds ? 0.0 : static_cast<double>(last.bytes - first.bytes) / seconds;
}

Cifar10Dialog::Cifar10Dialog(QWidget* parent, const Cifar10Archive& archive)
    : QDialog(parent), m_archive(archive), m_folder(new QLineEdit),
      m_browse(new QPushButton(tr("&Browse…"))), m_bar(new QProgressBar),
      m_status(selectableLabel()), m_mark(new IconLabel), m_message(selectableLabel()),
      m_get(new QPushButton), m_cancel(new QPushButton(tr("&Cancel"))), m_close(new QPushButton)
{
    setWindowTitle(tr("Get CIFAR-10"));
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the download"));
    m_status->setAccessibleName(tr("State of the download"));

    m_mark->setFixedWidth(kMarkSize);
    m_message->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_message->setAccessibleName(tr("Message"));
    auto* const message = rowOf({{m_mark, 0, Qt::AlignTop}, {m_message, 1}});
    auto* const introduction = selectableLabel(
        tr("60,000 colour images of 32 × 32 pixels in ten classes. The official archive, %1 "
           "from www.cs.toronto.edu, is fetched, checked by its SHA-256 and unpacked to %2. It "
           "needs %3 of free space while it runs.")
            .arg(
                bytesText(m_archive.request.bytes, 0), bytesText(kUnpackedBytes, 0),
                bytesText(kNeededBytes, 0)));
    columnIn(
        this, {18, 16, 18, 14}, 8,
        {introduction,
         gap(8),
         makeFolderRow(),
         gap(8),
         m_bar,
         m_status,
         {message, 1},
         makeButtons()});
    connectDownload();
    resize(560, 300);
    setFolder(standardDatasetsFolder());
    enter(Stage::Idle);
}

QLayout* Cifar10Dialog::makeFolderRow()
{
    auto* label = new QLabel(tr("&Folder"));
    label->setBuddy(m_folder);
    m_folder->setToolTip(tr(
        "The folder cifar-10-batches-bin is created in here. Nothing that is there is replaced"));
    m_browse->setToolTip(tr("Chooses the folder"));
    connect(m_browse, &QPushButton::clicked, this, [this] {
        const QString chosen =
            QFileDialog::getExistingDirectory(this, tr("Folder for CIFAR-10"), m_folder->text());
        if (!chosen.isEmpty()) {
            m_folder->setText(chosen);
        }
    });
    connect(m_folder, &QLineEdit::textChanged, this, [this] { enter(Stage::Idle); });
    return rowOf({label, {m_folder, 1}, m_browse});
}

QLayout* Cifar10Dialog::makeButtons()
{
    m_get->setIcon(icon(IconName::Download));
    m_get->setDefault(true);
    m_get->setObjectName(QStringLiteral("get"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_close->setObjectName(QStringLiteral("close"));
    m_cancel->setToolTip(tr("Stops the download and keeps what has arrived"));
    connect(m_get, &QPushButton::clicked, this, &Cifar10Dialog::start);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_download.cancel();
        enter(Stage::Cancelling);
    });
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    return rowOf({space(), m_get, m_cancel, m_close});
}

void Cifar10Dialog::connectDownload()
{
    connect(&m_download, &DatasetDownload::progressed, this, &Cifar10Dialog::showProgress);
    const auto finish = [this](const std::filesystem::path& folder, bool wasThere) {
        m_bar->setValue(kBarSteps);
        const QString text =
            wasThere ? tr("CIFAR-10 was already there and is complete; nothing was downloaded.\n%1")
                     : tr("CIFAR-10 is ready.\n%1");
        enter(Stage::Done, text.arg(toQString(folder)));
        m_close->setFocus();
        emit ready(folder);
    };
    connect(&m_download, &DatasetDownload::finished, this, finish);
    connect(&m_download, &DatasetDownload::cancelled, this, [this] {
        enter(
            Stage::Cancelled,
            tr("Cancelled. What has arrived is kept: “Go On” fetches the rest, now or later."));
        m_get->setFocus();
    });
    connect(&m_download, &DatasetDownload::failed, this, [this](const QString& text) {
        enter(
            Stage::Failed,
            tr("%1.\nCheck the connection and the folder, then press “Try Again”: it goes on "
               "with what was kept.")
                .arg(text));
        m_get->setFocus();
    });
}

void Cifar10Dialog::start()
{
    if (m_download.isRunning() || m_folder->text().isEmpty()) {
        return;
    }
    m_rate.clear();
    m_clock.start();
    m_download.start(folder(), m_archive);
    enter(Stage::Running);
}

/// Everything that depends on the stage.
void Cifar10Dialog::enter(Stage stage, const QString& message)
{
    m_stage = stage;
    const bool isBusy = stage == Stage::Running || stage == Stage::Cancelling;
    m_folder->setEnabled(!isBusy);
    m_browse->setEnabled(!isBusy);
    m_bar->setEnabled(isBusy || stage == Stage::Done);
    if (stage == Stage::Idle || stage == Stage::Running) {
        m_bar->setValue(0);
    }
    m_status->setText(
        stage == Stage::Running      ? tr("Connecting…")
        : stage == Stage::Cancelling ? tr("Stopping…")
        : m_folder->text().isEmpty() ? tr("Choose a folder.")
                                     : QString());
    m_message->setText(message);
    const bool isFailed = stage == Stage::Failed;
    m_mark->setVisible(!message.isEmpty());
    m_mark->setIcon(
        isFailed ? IconName::Error : IconName::Information, {kMarkSize, kMarkSize},
        isFailed ? [](const QPalette& palette) { return themeColors(palette).alert; }
                 : [](const QPalette& palette) { return themeColors(palette).accent; });
    m_get->setText(
        stage == Stage::Cancelled ? tr("&Go On")
        : stage == Stage::Failed  ? tr("&Try Again")
                                  : tr("&Get"));
    m_get->setEnabled(!isBusy && stage != Stage::Done && !m_folder->text().isEmpty());
    m_cancel->setEnabled(stage == Stage::Running);
    m_close->setText(isBusy ? tr("&Hide") : tr("C&lose"));
    m_close->setToolTip(isBusy ? tr("Closes this window; the download goes on") : QString());
    // A window does not grow by itself for wrapped words.
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void Cifar10Dialog::showProgress(DownloadPhase phase, qint64 bytes, qint64 total)
{
    if (m_stage != Stage::Running) {
        return;
    }
    const double share = total > 0 ? static_cast<double>(bytes) / static_cast<double>(total) : 0.0;
    m_bar->setValue(static_cast<int>(share * kBarSteps));
    m_rate.add(static_cast<double>(m_clock.elapsed()) / 1000.0, bytes);
    m_status->setText(
        phase == DownloadPhase::Checking    ? tr("2 of 3: comparing the checksum")
        : phase == DownloadPhase::Unpacking ? tr("3 of 3: unpacking")
                                            : transferText(bytes, total, m_rate.bytesPerSecond()));
}

} // namespace lockstep::ui
