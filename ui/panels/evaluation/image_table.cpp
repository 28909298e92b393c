// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/image_table.h"

#include "plots/axes/number_text.h"
#include "widgets/forms/wheel_guard.h"

#include <QComboBox>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::array kWrong{Verdict::FalsePositive, Verdict::FalseNegative};

} // namespace

ImageTable::ImageTable(QWidget* parent)
    : ExampleTable(QStringLiteral("evaluation_images"), tr("Images of the evaluation"), parent),
      m_order(m_model, ImageScoreModel::Loss), m_filter(new QComboBox(this))
{
    setOrder(m_order, ImageScoreModel::Loss, ImageScoreModel::Called);
    makeFilter();
}

QWidget& ImageTable::filters() const noexcept
{
    return *m_filter;
}

void ImageTable::makeFilter()
{
    m_filter->setObjectName(QStringLiteral("evaluation_filter"));
    m_filter->setAccessibleName(tr("Which images are listed"));
    m_filter->setToolTip(
        tr("Which images are listed; what is right and wrong depends on the threshold"));
    m_filter->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->addItem(tr("All images"));
    m_filter->addItem(tr("False positives"), static_cast<int>(Verdict::FalsePositive));
    m_filter->addItem(tr("False negatives"), static_cast<int>(Verdict::FalseNegative));
    new WheelGuard(m_filter);
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] {
        const QVariant verdict = m_filter->currentData();
        change([&] {
            m_order.setFilter(
                {&m_model, verdict.isValid() ? std::optional(static_cast<Verdict>(verdict.toInt()))
                                             : std::nullopt});
        });
    });
    showCount();
}

void ImageTable::setRows(std::vector<ImageScoreRow> rows)
{
    change([&] { m_model.setRows(std::move(rows)); });
    showCount();
}

void ImageTable::setThreshold(double threshold)
{
    change([&] { m_model.setThreshold(threshold); });
    showCount();
}

/// How many there are of each kind.
void ImageTable::showCount()
{
    const auto& rows = m_model.rows();
    m_filter->setItemText(0, tr("All images (%1)").arg(countText(std::ssize(rows))));
    const std::array texts{tr("False positives (%1)"), tr("False negatives (%1)")};
    for (std::size_t i = 0; i < kWrong.size(); ++i) {
        const auto count = std::ranges::count_if(rows, [&](const ImageScoreRow& row) {
            return verdictOf(row, m_model.threshold()) == kWrong[i];
        });
        m_filter->setItemText(static_cast<int>(i) + 1, texts[i].arg(countText(count)));
    }
}

} // namespace lockstep::ui
