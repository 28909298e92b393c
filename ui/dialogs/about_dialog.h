// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/device_model.h"

#include <QDialog>

#include <vector>

class QLabel;

namespace lockstep::ui {

/// What the program is, its version, its licences and the libraries it uses.
class AboutDialog : public QDialog
{
    Q_OBJECT

public:
    /// The devices name the libraries that drive them.
    explicit AboutDialog(const std::vector<DeviceRow>& devices, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QLayout* makeHead();
    void paintMark();

    QLabel* m_mark;
};

} // namespace lockstep::ui
