// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/batch_preview.h"
#include "engine.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace lockstep::ui {

class ImageGrid;

/// "Data preview": the images that each tower gets, distorted, with their classes. Makes them again
/// by the run's own function, beside the run, and only while someone can see them.
class PreviewPanel : public QWidget
{
    Q_OBJECT

public:
    /// While a run goes on, images are made anew this often at most.
    static constexpr int kLiveMilliseconds = 2000;

    explicit PreviewPanel(QWidget* parent = nullptr);

    /// The run that is being set up, or that was started: shows its first batch. May be called at
    /// every key stroke.
    void setConfig(const RunConfig& config);
    /// StepRecord::examples of the newest step: with "Live" shows the batch of that step.
    void setPosition(std::int64_t examples);

public slots:
    /// Shows the newest now, or as soon as the panel is visible.
    void refresh();

signals:
    /// A batch was asked for: the first of these examples is the one at `position`.
    void requested(qint64 position);

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QLayout* makeHead();
    void setLive(bool isLive);
    void askIn(qint64 milliseconds);
    void ask();
    [[nodiscard]] QString captionFor(std::int64_t position) const;
    void showImages(qint64 position, const std::vector<PreviewImage>& images);
    void showFailure(const QString& text);

    RunConfig m_config;
    std::int64_t m_globalBatch = 0; // 0: the configuration makes no sense
    std::optional<std::int64_t> m_examples;
    bool m_isStale = true; // something newer waits to be asked for
    QTimer m_timer;
    QElapsedTimer m_sinceAsked;

    QLabel* m_caption;
    QCheckBox* m_live;
    QPushButton* m_refresh;
    QStackedWidget* m_pages;
    ImageGrid* m_grid;
    QLabel* m_message;
    BatchPreview m_preview;
};

} // namespace lockstep::ui
