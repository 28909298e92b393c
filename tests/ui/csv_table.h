// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/run_series.h"

#include <QFile>
#include <QString>
#include <QStringList>

#include <cmath>
#include <filesystem>
#include <vector>

namespace lockstep::ui {

/// A table that the engine exported, and how it compares with the curves of the charts.
class CsvTable
{
public:
    explicit CsvTable(const std::filesystem::path& path)
    {
        QFile file(QString::fromStdString(path.string()));
        if (file.open(QIODevice::ReadOnly)) {
            const QStringList lines =
                QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
            m_names = lines.value(0).split(',');
            for (const QString& line : lines.mid(1)) {
                m_rows.push_back(line.split(','));
            }
        }
    }

    [[nodiscard]] std::size_t rows() const { return m_rows.size(); }

    /// The first value that the charts have otherwise; empty if there is none.
    [[nodiscard]] QString differenceFrom(const RunSeries& run) const
    {
        const Timeline& times = run.steps().timeline();
        if (times.size() != static_cast<std::int64_t>(rows())) {
            return QString("%1 steps instead of %2").arg(times.size()).arg(rows());
        }
        QString difference;
        for (std::int64_t row = 0; row < times.size() && difference.isEmpty(); ++row) {
            const Moment moment = times.momentAt(row);
            const auto shown = [&](int series) { return run.steps().series(series).at(row); };
            compare(difference, row, "step", static_cast<double>(moment.step));
            compare(difference, row, "epoch", moment.epoch);
            compare(difference, row, "wall_seconds", moment.wallSeconds, kNanosecond);
            compare(difference, row, "cross_entropy_mean", shown(RunSeries::kMeanLoss));
            compare(difference, row, "loss_mean", shown(RunSeries::kTotalLoss));
            compare(difference, row, "train_accuracy", shown(RunSeries::kTrainAccuracy));
            compare(difference, row, "examples_per_second", shown(RunSeries::kExamplesPerSecond));
            for (int tower = 0; tower < run.towers(); ++tower) {
                const QByteArray name = "cross_entropy_tower_" + QByteArray::number(tower);
                compare(difference, row, name.constData(), shown(run.towerLoss(tower)));
            }
        }
        return difference;
    }

private:
    /// The run store keeps times in whole ones.
    static constexpr double kNanosecond = 1e-9;

    /// Charts keep float32 of what is a double in the table.
    template<class T>
    void compare(
        QString& difference, std::int64_t row, const char* name, T shown,
        double tolerance = 0.0) const
    {
        const auto column = m_names.indexOf(name);
        const QString text = m_rows[static_cast<std::size_t>(row)].value(column);
        bool isNumber = false;
        const auto exported = static_cast<T>(text.toDouble(&isNumber));
        const bool isEqual =
            std::abs(exported - shown) <= tolerance || (std::isnan(exported) && std::isnan(shown));
        if (difference.isEmpty() && (!isNumber || !isEqual)) {
            difference = QString("%1 of row %2: shown %3, exported '%4'")
                             .arg(name)
                             .arg(row)
                             .arg(static_cast<double>(shown))
                             .arg(text);
        }
    }

    QStringList m_names;
    std::vector<QStringList> m_rows;
};

} // namespace lockstep::ui
