// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace lockstep::ui {

class FormField;
class NoteLabel;
class ProblemLabel;
class SearchLine;

/// Makes the field for any key of the configuration, or for the folder of the run (kRunFolderKey):
/// a known one gets its words and its own input, a new one those that fit its name and the kind of
/// its value.
FormField* makeRunField(const ConfigKey& key, QWidget* parent);

/// The value of a key as setConfigValue() reads it: texts without their quotes.
QString plainValue(const ConfigKey& key);

/// The fields that seldom change: in groups, each under its heading, and above them a line that
/// finds some by their label, key or help.
class OptionList : public QWidget
{
    Q_OBJECT

public:
    explicit OptionList(QWidget* parent = nullptr);

    /// Where the field of a key belongs, by ascending number.
    static int groupOf(const std::string& key);
    /// To be called group by group. The field is this list's from now on.
    void add(FormField* field);
    /// Leaves only what model and data set have a use for.
    void setConfig(const RunConfig& config);

private:
    struct Option
    {
        FormField* field = nullptr;
        bool isOfUse = true;
    };
    struct Group
    {
        int number = 0;
        QLabel* heading = nullptr;
        std::vector<Option> options;
    };

    void filter();

    SearchLine* m_search;
    NoteLabel* m_nothing;
    QVBoxLayout* m_rows;
    std::vector<Group> m_groups;
};

/// Says that the run does not start from random weights but goes on with another run or from a
/// checkpoint, and can take that back. Hidden otherwise.
class StartLine : public QWidget
{
    Q_OBJECT

public:
    explicit StartLine(QWidget* parent = nullptr);

    void setRequest(const RunRequest& request);
    /// Replaces the request's configuration by one that a person may be editing.
    void setConfig(const RunConfig& config);
    void setProblem(const QString& text);

signals:
    void cleared();

private:
    void show();

    RunRequest m_request;
    NoteLabel* m_text;
    ProblemLabel* m_problem;
};

} // namespace lockstep::ui
