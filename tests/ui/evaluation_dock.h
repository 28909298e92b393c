// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"
#include "panels/evaluation/evaluation_panel.h"
#include "ui/window_witness.h"

namespace lockstep::ui {

/// A test of the dock "Evaluation", with real trainings. Its images stand in the table of this
/// name.
class EvaluationDockTest : public WindowTest
{
protected:
    explicit EvaluationDockTest(const char* table) : m_table(table) {}

    void beginScene()
    {
        m_scene.emplace();
        showDock("evaluation_dock");
    }
    [[nodiscard]] QTableView* view() const { return find<QTableView>(m_table); }
    [[nodiscard]] QAbstractItemModel* table() const { return view()->model(); }
    [[nodiscard]] QString note(const char* name) const { return find<NoteLabel>(name)->note(); }
    [[nodiscard]] QVariant cell(int row, int column) const
    {
        return table()->index(row, column).data(ValueRole);
    }
    /// Waits for the images of its last evaluation.
    void train(const RunConfig& config)
    {
        m_scene->startAtOnce(config);
        QTRY_VERIFY(!window().controller().isBusy());
        QCOMPARE(m_scene->state(), SessionController::State::Finished);
        const QString step = QString::number(config.steps);
        QTRY_VERIFY(
            find<QComboBox>("evaluation_step")->itemText(0).endsWith(step)
            && table()->rowCount() > 0);
    }
    void clickRow(int row) const
    {
        view()->scrollTo(table()->index(row, 0));
        QTest::mouseClick(
            view()->viewport(), Qt::LeftButton, {},
            view()->visualRect(table()->index(row, 0)).center());
    }
    void drop(const std::vector<std::filesystem::path>& files) const { m_scene->drop(files); }
    /// In a window of 1440 x 900, whatever the screen is.
    void show(const char* theme, int dockHeight) const
    {
        m_scene->chooseTheme(theme);
        window().resize(1440, 900);
        window().resizeDocks({find<QDockWidget>("evaluation_dock")}, {dockHeight}, Qt::Vertical);
    }
    /// Nothing is cut: every word of the parts has its room.
    void expectRoom(std::initializer_list<const char*> texts) const
    {
        for (const char* const text : texts) {
            const auto* const label = find<NoteLabel>(text);
            QVERIFY(label->heightForWidth(label->width()) <= label->height());
        }
    }

private:
    const char* m_table;
};

} // namespace lockstep::ui

/// Trains a run, or ends the test.
#define TRAIN(config_)                                                                             \
    train(config_);                                                                                \
    if (QTest::currentTestFailed())                                                                \
    return
