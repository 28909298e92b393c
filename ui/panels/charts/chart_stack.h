// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/x_range.h"
#include "plots/curves/curve.h"

#include <QByteArray>
#include <QSplitter>

#include <cstddef>
#include <vector>

class QAction;

namespace lockstep::ui {

class LossPlot;
class PlotView;
class RunSeries;

/// How the charts of a stack share its height, and which of them are folded down to their titles.
class ChartPlaces
{
public:
    enum class Choice : char {
        Automatic = 'a', ///< open where there is room for it
        Open = 'o',
        Folded = 'f',
    };

    /// Place of the chart that a recorded run may have nothing for.
    static constexpr std::size_t kAccuracy = 4;
    /// Place of the first chart that is left out where there is no room for its title line.
    static constexpr std::size_t kTestLoss = 5;
    static constexpr std::size_t kLearningRate = 6;
    /// Place of the chart that only networks that detect have.
    static constexpr std::size_t kAveragePrecision = 7;

    /// The loss first: it is what a person looks at.
    struct Place
    {
        int height = 0; ///< while it is open; a share of what there is
        Choice choice = Choice::Automatic;
    };

    ChartPlaces();

    /// Text for the settings: "280a 115a 115f …".
    [[nodiscard]] QByteArray toText() const;
    /// Of as many charts; those of before stay if the text is none such.
    void readText(const QByteArray& text);

    [[nodiscard]] bool isFolded(std::size_t chart, int heightOfAll) const;
    /// Whether it is one that gives way where there is no room for it.
    [[nodiscard]] bool givesWay(std::size_t chart) const;
    /// Whether it is one that is left out where not even its title line has room, and where that
    /// is.
    [[nodiscard]] bool mayBeLeftOut(std::size_t chart) const;
    [[nodiscard]] bool isLeftOut(std::size_t chart, int heightOfAll) const;

    std::vector<Place> places;
};

/// The charts of a run above each other. They share their x axis. All but the first can be folded
/// down to their title lines; where the stack is low some are until a person says otherwise.
class ChartStack : public QSplitter
{
    Q_OBJECT

public:
    explicit ChartStack(QWidget* parent = nullptr);
    ~ChartStack() override;

    /// Must stay until others are set; nullptr: no run.
    void setRun(const RunSeries* run);
    void setOverlays(const std::vector<PlotOverlay>& overlays);
    /// Shows what the other one does, for a picture: nothing on it is for the hand. `alone`: only
    /// this one of the other's charts.
    void showAs(const ChartStack& other, const PlotView* alone);
    /// Rows were appended: paints them at once.
    void repaintData();

    [[nodiscard]] XRange& range() noexcept { return m_range; }
    /// Those of the run, the loss first.
    [[nodiscard]] const std::vector<PlotView*>& plots() const noexcept { return m_shown; }
    [[nodiscard]] LossPlot& loss() const noexcept { return *m_loss; }
    /// With those of what the run does not have.
    [[nodiscard]] const std::vector<PlotView*>& allPlots() const noexcept { return m_plots; }
    [[nodiscard]] bool isShown(const PlotView& plot) const;
    /// One for each of allPlots() that can be folded: checked while it is open, invisible for those
    /// that the run does not have.
    [[nodiscard]] const std::vector<QAction*>& openings() const noexcept { return m_openings; }
    /// Gives this chart all the room; all of them theirs again if one has it.
    void toggleEnlarged(PlotView& plot);

    /// As they are without one that has all the room: heights, and what a person folded.
    [[nodiscard]] const ChartPlaces& places() const noexcept { return m_places; }
    void setPlaces(const ChartPlaces& places);

    /// With those folded that give way.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// plots() are others, or have other titles.
    void plotsChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addPlot(PlotView& plot, bool isFoldable);
    void chooseShown(const RunSeries* run);
    void setOpen(std::size_t chart, bool isOpen);
    void arrange();
    void noteHeights();
    void shareAxis();

    XRange m_range;
    const RunSeries* m_run = nullptr;
    std::vector<PlotOverlay> m_overlays;
    LossPlot* m_loss;
    std::vector<PlotView*> m_plots; ///< at their places
    std::vector<PlotView*> m_shown; ///< those of them that the run has
    std::vector<QAction*> m_openings;
    ChartPlaces m_places;
    const PlotView* m_enlarged = nullptr;
};

} // namespace lockstep::ui
