// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include <memory>
#include <optional>
#include <vector>

namespace lockstep {
struct MaskRecord;
}

namespace lockstep::ui {

class MaskCard;

/// The images of a step with their masks beside each other, as high as there is room.
class MaskStrip : public QScrollArea
{
    Q_OBJECT

public:
    explicit MaskStrip(QWidget* parent = nullptr);

    /// Of one tower, or of all.
    void setRecord(const MaskRecord& record, std::optional<int> tower);
    void setThreshold(double threshold);
    [[nodiscard]] const std::vector<MaskCard*>& cards() const noexcept { return m_cards; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setCount(std::size_t count);
    void fit();

    double m_threshold = 0.5;
    QWidget* m_row;
    std::vector<MaskCard*> m_cards;
};

} // namespace lockstep::ui
