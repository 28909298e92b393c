// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/session/live_run.h"
#include "engine/records.h"
#include "models/figures/device_model.h"

#include <QObject>
#include <QPointF>
#include <QString>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace lockstep::ui {

/// A quantity over time in bounded memory: the more values there are, the more of them share a
/// node, of which the least and the greatest are kept.
class ThinnedLine
{
public:
    static constexpr std::size_t kMostNodes = 2048;

    /// By ascending x.
    void append(double x, double value);
    /// The line ends here; what comes is another one.
    void breakAt(double x);
    /// The line, ready to be drawn: of a node its least, then its greatest value; not a number
    /// where it breaks.
    [[nodiscard]] std::vector<QPointF> points() const;
    [[nodiscard]] bool isEmpty() const noexcept { return m_nodes.empty(); }

private:
    struct Node
    {
        double x = 0.0;
        double least = 0.0;
        double greatest = 0.0;
        int values = 0; ///< 0: a break
    };
    bool add(const Node& node);

    std::vector<Node> m_nodes;
    int m_valuesPerNode = 1;
};

/// What a device told of itself over time.
struct DeviceTrace
{
    enum Quantity { Load, Memory, ProcessMemory, Temperature, Power, QuantityCount };

    /// A time from which on its clocks were lowered.
    struct Throttling
    {
        double seconds = 0.0;
        QString reason;
    };

    QString device;
    DeviceReadingRecord newest;
    std::optional<double> lastSeconds; ///< of that one; nothing where the lines broke since
    std::array<ThinnedLine, QuantityCount> lines;
    /// Energy, by the power between readings that follow each other; empty while it is not known.
    std::optional<double> wattHours;
    std::vector<Throttling> throttlings; ///< at most kMostThrottlings, the latest

    static constexpr std::size_t kMostThrottlings = 500;
};

/// The readings of a run's devices on one time axis: seconds in which somebody had it to train, be
/// it paused. Times between readings of more than ten seconds, when nobody had, are left out; the
/// lines break there.
class DeviceTraces
{
public:
    /// In the order in which they were made.
    void append(const DeviceReadingRecord& reading);

    /// In the order in which they were heard of.
    [[nodiscard]] const std::vector<DeviceTrace>& devices() const noexcept { return m_devices; }
    [[nodiscard]] const DeviceTrace* find(const QString& device) const;
    [[nodiscard]] double seconds() const noexcept { return m_seconds; }

private:
    std::vector<DeviceTrace> m_devices;
    std::optional<double> m_time; ///< of the newest reading
    double m_seconds = 0.0;
};

/// What the devices of the shown run told of themselves: read from its store when it is begun, on a
/// thread of its own, and then as it comes. Lives in the GUI thread.
class DeviceHistory : public QObject
{
    Q_OBJECT

public:
    /// The run must outlive this object.
    explicit DeviceHistory(LiveRun& run, QObject* parent = nullptr);
    ~DeviceHistory() override { m_wanted.request_stop(); }

    [[nodiscard]] const DeviceTraces& traces() const noexcept { return m_traces; }
    /// Why the history is not there; empty: it is.
    [[nodiscard]] const QString& problem() const noexcept { return m_problem; }

signals:
    void changed();

private:
    struct Wanted
    {
        std::filesystem::path folder;
        std::stop_token isOver; ///< nobody wants it any more
    };
    struct Stored
    {
        DeviceTraces traces;
        QString problem;
    };
    [[nodiscard]] static std::shared_ptr<const Stored> read(const Wanted& wanted);
    void begin();
    void take(const DeviceReadingRecord& reading);
    void onRead(const DeviceTraces& traces);

    LiveRun& m_run;
    DeviceTraces m_traces;
    QString m_problem;
    std::vector<DeviceReadingRecord> m_early; ///< came while the history was read
    std::stop_source m_wanted;
    LatestRequest<Wanted, Stored> m_reading;
};

/// What a machine says of its devices, for DeviceModel. Any thread.
std::vector<DeviceRow> deviceRows(const std::vector<DeviceReport>& reports);

} // namespace lockstep::ui
