// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/cifar10_dialog.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kLeastSeconds = 0.4;          // before which a rate says nothing
constexpr qint64 kUnpackedBytes = 184'380'000; // 60,000 records of 3,073 bytes
constexpr qint64 kNeededBytes = 350'000'000;   // as downloadCifar10() says

struct DownloadText
{
    Q_DECLARE_TR_FUNCTIONS(Cifar10Dialog)
};

QString bytesText(qint64 bytes, int decimals)
{
    return QLocale().formattedDataSize(bytes, decimals);
}

QString leftText(double seconds)
{
    constexpr double kMostSeconds = 90.0;
    return seconds < kMostSeconds ? DownloadText::tr("%1 s left").arg(std::ceil(seconds))
                                  : DownloadText::tr("%1 min left").arg(std::ceil(seconds / 60.0));
}

} // namespace

QString downloadIntroduction()
{
    return DownloadText::tr(
               "60,000 colour images of 32 × 32 pixels in ten classes. The official archive, %1 "
               "from www.cs.toronto.edu, is fetched, checked by its SHA-256 and unpacked to %2. It "
               "needs %3 of free space while it runs.")
        .arg(
            bytesText(Cifar10Archive().request.bytes, 0), bytesText(kUnpackedBytes, 0),
            bytesText(kNeededBytes, 0));
}

QString transferText(qint64 bytes, qint64 total, double bytesPerSecond)
{
    QString text = DownloadText::tr("1 of 3: downloading · %1 of %2")
                       .arg(bytesText(bytes, 1), bytesText(total, 1));
    if (bytesPerSecond <= 0.0) {
        return text;
    }
    const double left = static_cast<double>(total - bytes) / bytesPerSecond;
    return DownloadText::tr("%1 · %2/s · %3")
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

} // namespace lockstep::ui
