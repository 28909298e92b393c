// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/presets.h"
#include "models/runs/run_table_model.h"

#include <QAbstractButton>
#include <QImage>

#include <vector>

namespace lockstep::ui {

/// A tile to click: a title, a few lines about it, the curves or the picture that come of it,
/// figures.
class StartCard : public QAbstractButton
{
    Q_OBJECT

public:
    /// `name` is the object's.
    StartCard(const QString& name, const QString& title, const QString& text, QWidget* parent);

    void setTexts(const QString& title, const QString& text);
    /// What it costs or came to, below the text.
    void setFigures(const QString& figures);
    /// The first is an ordinary one, the others warn.
    void setCurves(std::vector<std::vector<SmallCurvePoint>> curves);
    /// In the place of curves.
    void setPicture(const QImage& picture);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintPicture(QPainter& painter, const QRectF& room) const;
    [[nodiscard]] int textHeight(const QString& text, const QFont& font, int width) const;

    QString m_text;
    QString m_figures;
    std::vector<std::vector<SmallCurvePoint>> m_curves;
    QImage m_picture;
};

/// What a preset is for: the sections of the start page.
enum class OfferKind { First, Own, More };

inline constexpr const char* kPicturesPreset = "inception_imagenette";
inline constexpr const char* kDefectsPreset = "segdecnet_defects";
inline constexpr const char* kPoisonedPreset = "poisoned_tower";

/// All presets in the order of the start page: some in words of its own first, a person's last.
std::vector<std::pair<OfferKind, Preset>> startOffers();

} // namespace lockstep::ui
