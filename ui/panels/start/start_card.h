// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/presets.h"
#include "models/runs/run_table_model.h"

#include <QAbstractButton>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// A tile to click: a title, a few lines about it, figures, and for a run its little curve.
class StartCard : public QAbstractButton
{
    Q_OBJECT

public:
    /// `name` is the object's.
    StartCard(const QString& name, const QString& title, const QString& text, QWidget* parent);

    void setTexts(const QString& title, const QString& text);
    /// What it costs or came to, below the text.
    void setFigures(const QString& figures);
    void setCurve(std::vector<SmallCurvePoint> curve);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QFont titleFont() const;
    [[nodiscard]] int textHeight(const QString& text, const QFont& font, int width) const;

    QString m_text;
    QString m_figures;
    std::vector<SmallCurvePoint> m_curve;
};

/// That of the person's own pictures.
inline constexpr const char* kPicturesPreset = "inception_imagenette";

/// All presets in the order of the start page: some in words of its own first, a person's last.
std::vector<Preset> startOffers();

/// What each is expected to take on this computer. Any thread but the window's.
std::vector<std::optional<RunEstimate>> estimatesOf(const std::vector<RunConfig>& configs);

} // namespace lockstep::ui
