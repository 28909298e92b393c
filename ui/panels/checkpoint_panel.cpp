// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/checkpoint_panel.h"

#include "bridge/file_names.h"
#include "bridge/run_library.h"
#include "widgets/quiet_table.h"

#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockstep::ui {
namespace {

QPushButton* button(const QString& text, const QString& toolTip)
{
    auto* const made = new QPushButton(text);
    made->setToolTip(toolTip);
    return made;
}

} // namespace

CheckpointPanel::CheckpointPanel(QWidget* parent)
    : QWidget(parent),
      m_table(new QuietTable(
          QStringLiteral("checkpoints_table"), tr("Checkpoints of the run that is shown"), this)),
      m_continue(button(
          tr("&Continue from Here"), tr("Sets up the run of this checkpoint to go on from it; its "
                                        "later steps are kept aside"))),
      m_newRun(button(
          tr("Ne&w Run from Here"),
          tr("Sets up another run that starts from the weights of this checkpoint"))),
      m_folder(button(tr("Open Folder"), tr("Shows the files in the file manager")))
{
    makeTable();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(4);
    layout->addWidget(m_table, 1);
    layout->addLayout(makeButtons());
    updateButtons();
}

void CheckpointPanel::makeTable()
{
    m_table->setModel(&m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(CheckpointModel::File, QHeaderView::Stretch);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &CheckpointPanel::updateButtons);
    connect(m_table, &QTableView::activated, this, [this] {
        if (m_continue->isEnabled()) {
            emit continueRequested(selectedFile());
        }
    });
}

QLayout* CheckpointPanel::makeButtons()
{
    connect(m_continue, &QPushButton::clicked, this, [this] {
        emit continueRequested(selectedFile());
    });
    connect(
        m_newRun, &QPushButton::clicked, this, [this] { emit newRunRequested(selectedFile()); });
    connect(m_folder, &QPushButton::clicked, this, [this] { emit openFolderRequested(m_run); });
    auto* const row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    for (QPushButton* const each : {m_continue, m_newRun, m_folder}) {
        row->addWidget(each);
    }
    row->addStretch(1);
    return row;
}

void CheckpointPanel::showRun(const std::filesystem::path& run)
{
    const std::filesystem::path selected = selectedFile();
    m_run = run;
    m_model.setItems(run.empty() ? std::vector<CheckpointItem>() : RunLibrary::checkpointsOf(run));
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (toPath(m_model.item(row).file) == selected) {
            m_table->selectRow(row);
        }
    }
    updateButtons();
}

void CheckpointPanel::setLoadingEnabled(bool isEnabled)
{
    m_isLoadingEnabled = isEnabled;
    updateButtons();
}

std::filesystem::path CheckpointPanel::selectedFile() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? std::filesystem::path() : toPath(m_model.item(rows.front().row()).file);
}

void CheckpointPanel::updateButtons()
{
    const bool canLoad = m_isLoadingEnabled && m_table->selectionModel()->hasSelection();
    m_continue->setEnabled(canLoad);
    m_newRun->setEnabled(canLoad);
    m_folder->setEnabled(!m_run.empty());
}

} // namespace lockstep::ui
