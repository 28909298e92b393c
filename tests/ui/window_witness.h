// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/file_names.h"
#include "panels/charts/charts_panel.h"
#include "panels/run_form/run_panel.h"
#include "plots/view/plot_view.h"
#include "support/cifar10_files.h"
#include "ui/session_witness.h"
#include "widgets/bars/message_bar.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"
#include "window/alerts/notices.h"
#include "window/base/language.h"
#include "window/base/window_actions.h"
#include "window/commands/run_commands.h"
#include "window/main_window.h"

#include <QtWidgets>
#include <algorithm>
#include <cmath>

#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>

namespace lockstep::ui {

/// Collects what Qt warns of while it lives. Every such line is a fault of the window; only what
/// it says of the machine's session folder and of the platform without a screen is not.
class WarningWitness
{
public:
    WarningWitness()
    {
        lines().clear();
        previous() = qInstallMessageHandler(take);
    }
    ~WarningWitness() { qInstallMessageHandler(previous()); }
    WarningWitness(const WarningWitness&) = delete;
    WarningWitness& operator=(const WarningWitness&) = delete;

    static QStringList& lines()
    {
        static QStringList list;
        return list;
    }

private:
    static QtMessageHandler& previous()
    {
        static QtMessageHandler handler = nullptr;
        return handler;
    }
    static void take(QtMsgType type, const QMessageLogContext& context, const QString& text)
    {
        const bool isFault = type == QtWarningMsg || type == QtCriticalMsg;
        if (isFault && !text.startsWith("QStandardPaths: XDG_RUNTIME_DIR")
            && !text.startsWith("This plugin does not support")) {
            lines().append(text);
        }
        previous()(type, context, text);
    }
};

/// What the bar across a window says; empty while it is hidden.
inline QString messageOf(const MessageBar& bar)
{
    return bar.isVisible() ? bar.text() : QString();
}

/// The buttons that it offers.
inline QList<QPushButton*> offersOf(const MessageBar& bar)
{
    QCoreApplication::processEvents(); // buttons are shown a moment after the text
    QList<QPushButton*> buttons = bar.findChildren<QPushButton*>();
    buttons.removeIf([](const QPushButton* button) { return !button->isVisible(); });
    return buttons;
}
inline QStringList offerTextsOf(const MessageBar& bar)
{
    QStringList texts;
    for (const QPushButton* button : offersOf(bar)) {
        texts.append(button->text());
    }
    return texts;
}

/// The real window in an empty home, and what a person does with it: keys, menus, buttons, fields.
class WindowScene
{
public:
    using State = SessionController::State;

    explicit WindowScene(const QString& language = {})
    {
        QLocale::setDefault({QLocale::English, QLocale::UnitedStates});
        if (!language.isEmpty()) {
            installLanguage(language);
        }
        // Nothing of this machine's user counts.
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString((m_folder / "data").string()));
        qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString((m_folder / "config").string()));
        m_settings =
            std::make_unique<QSettings>(toQString(m_folder / "settings.ini"), QSettings::IniFormat);
        test::writeCifar10Folder(pictures(), 20);
        open();
    }

    /// Another window with the settings that the last one left; before that the last one goes.
    void open()
    {
        m_window.reset();
        m_window = std::make_unique<MainWindow>(*m_settings);
        m_window->show();
        activate();
    }
    /// As a window manager does it when a dialog has gone.
    void activate() const
    {
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window.get())) {
            throw std::runtime_error("the window gets no focus");
        }
    }

    [[nodiscard]] MainWindow& window() const { return *m_window; }
    [[nodiscard]] WindowActions& actions() const { return m_window->actions(); }
    [[nodiscard]] const LiveRun& run() const { return m_window->run(); }
    [[nodiscard]] State state() const { return m_window->controller().state(); }
    [[nodiscard]] QSettings& settings() const { return *m_settings; }
    [[nodiscard]] const test::TemporaryFolder& folder() const { return m_folder; }
    /// A few pictures in the layout of CIFAR-10.
    [[nodiscard]] std::filesystem::path pictures() const { return m_folder / "pictures"; }

    /// The small network on those pictures, 2 towers x 8.
    [[nodiscard]] RunConfig config(std::int64_t steps) const
    {
        RunConfig config = smallConfig(steps);
        config.dataset = "cifar10";
        config.datasetPath = pictures().string();
        config.learningRate.initial = 0.01;
        return config;
    }

    /// Presses keys where the focus is.
    void press(const QKeySequence& keys) const
    {
        QWidget* const focus = QApplication::focusWidget();
        QTest::keySequence(focus != nullptr ? focus : m_window.get(), keys);
    }
    void press(const char* keys) const { press(QKeySequence(keys)); }

    /// Triggers an entry that asks for a file, and answers.
    void choose(QAction* action, const std::filesystem::path& path) const
    {
        action->trigger();
        answer(path);
    }
    /// What asks for a file.
    [[nodiscard]] QLineEdit& fileNameEdit() const
    {
        auto* const dialog = m_window->findChild<QFileDialog*>();
        auto* const name =
            dialog != nullptr ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
        if (name == nullptr) {
            throw std::runtime_error("no file is asked for");
        }
        return *name;
    }
    void answer(const std::filesystem::path& path) const
    {
        QLineEdit& name = fileNameEdit();
        name.setText(toQString(path));
        QTest::keyClick(&name, Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        activate();
    }
    /// By the menu, from a file.
    void configure(const RunConfig& config) const
    {
        const std::filesystem::path file = m_folder / "set-up.toml";
        std::ofstream(file) << toToml(config);
        choose(actions().importConfiguration, file);
    }
    void start(const RunConfig& config) const
    {
        configure(config);
        press("Ctrl+R");
    }
    /// Without a file and a key.
    void startAtOnce(const RunConfig& config) const
    {
        m_window->setUpCommands().setUp(config);
        actions().start->trigger();
    }
    void stopAtOnce() const
    {
        actions().stop->trigger();
        QTRY_VERIFY(m_window->controller().canStart());
    }
    void type(const QString& key, const QString& text) const
    {
        auto* const input = m_window->findChild<QWidget*>(key);
        input->setFocus();
        QTest::keySequence(input, QKeySequence::SelectAll);
        QTest::keyClick(input, Qt::Key_Delete);
        QTest::keyClicks(input, text);
    }
    [[nodiscard]] FormField* field(const QString& key) const
    {
        const auto all = m_window->findChildren<FormField*>();
        const auto found = std::ranges::find(all, key, &FormField::key);
        return found != all.end() ? *found : throw std::runtime_error(key.toStdString());
    }

    void chooseTheme(const char* theme) const
    {
        for (QAction* const action : actions().theme->actions()) {
            if (action->data().toString() == QLatin1String(theme)) {
                action->trigger();
            }
        }
    }

    /// Drags files over the window and drops them, or over another one of its windows; returns what
    /// was promised meanwhile.
    QString drop(
        const std::vector<std::filesystem::path>& files, const QWidget* elsewhere = nullptr) const
    {
        QList<QUrl> urls;
        for (const std::filesystem::path& file : files) {
            urls.append(QUrl::fromLocalFile(toQString(file)));
        }
        QMimeData data;
        data.setUrls(urls);
        QWindow* const target = (elsewhere != nullptr ? elsewhere : m_window.get())->windowHandle();
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &enter);
        const auto* const note = m_window->findChild<QLabel*>("drop_note");
        const bool isTold = QTest::qWaitFor([note] { return note->isVisible(); });
        const QString promise = isTold ? note->text() : QString();
        QDropEvent dropped({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &dropped);
        if (!enter.isAccepted() || !dropped.isAccepted() || note->isVisible()) {
            throw std::runtime_error("the window does not take what is dropped");
        }
        return promise;
    }

    [[nodiscard]] QString message() const { return messageOf(m_window->messages()); }
    [[nodiscard]] QStringList offers() const { return offerTextsOf(m_window->messages()); }
    void accept(const QString& offer) const
    {
        for (QPushButton* button : offersOf(m_window->messages())) {
            if (button->text() == offer) {
                return QTest::mouseClick(button, Qt::LeftButton);
            }
        }
        const QString instead = message() + offers().join(", ");
        QTest::qFail(qPrintable(offer + " is not offered: " + instead), __FILE__, __LINE__);
    }
    [[nodiscard]] QString statusText() const
    {
        return m_window->findChild<QLabel*>("status_text")->text();
    }
    /// Steps that the window shows.
    [[nodiscard]] std::int64_t shownSteps() const
    {
        return run().series() != nullptr ? run().series()->steps().size() : 0;
    }

private:
    WarningWitness m_warnings;
    test::TemporaryFolder m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

/// Waits until the run of the WindowScene `m_scene` is in a state, or shows so many steps.
#define WAIT_FOR_STATE(state_) QTRY_COMPARE(m_scene->state(), SessionController::State::state_)
#define WAIT_FOR_STEPS(count_) QTRY_VERIFY(m_scene->shownSteps() >= (count_))

/// Ends the scene; fails if Qt had anything to warn of.
#define END_SCENE()                                                                                \
    m_scene.reset();                                                                               \
    QCOMPARE(WarningWitness::lines(), QStringList())

/// A test of the window: each of its functions gets a scene.
class WindowTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_scene.emplace(); }
    void cleanup() { END_SCENE(); }

protected:
    [[nodiscard]] WindowActions& actions() const { return m_scene->actions(); }
    [[nodiscard]] MainWindow& window() const { return m_scene->window(); }
    template<class Widget = QWidget>
    [[nodiscard]] Widget* find(const char* name) const
    {
        return window().findChild<Widget*>(name);
    }
    [[nodiscard]] ChartsPanel& charts() const { return *window().findChild<ChartsPanel*>(); }
    void showDock(const char* name) const
    {
        find<QDockWidget>(name)->show();
        find<QDockWidget>(name)->raise();
    }
    /// That of the run that is shown.
    [[nodiscard]] RunStoreReader store() const
    {
        return RunStoreReader(RunFolder::storeFileOf(m_scene->run().folder()));
    }

    /// To its end.
    void train(const RunConfig& config) const
    {
        m_scene->start(config);
        WAIT_FOR_STATE(Finished);
    }
    void train(std::int64_t steps) const { train(m_scene->config(steps)); }
    /// What is set up, after another run.
    void trainAgain() const
    {
        m_scene->press("Ctrl+R");
        QVERIFY(m_scene->state() != SessionController::State::Finished); // of the run before
        WAIT_FOR_STATE(Finished);
    }
    /// Without an end; so many steps are shown.
    void trainOn(std::int64_t steps) const
    {
        m_scene->start(m_scene->config(kEndless));
        WAIT_FOR_STEPS(steps);
    }
    void pause() const
    {
        m_scene->press("Ctrl+P");
        WAIT_FOR_STATE(Paused);
    }
    void stop() const
    {
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Stopped);
    }

    std::optional<WindowScene> m_scene;
};

/// Whether the window shows these cross-entropies; of a long history loss and weight decay were
/// rounded before they were taken from each other.
inline bool showsLosses(const LiveRun& run, const std::vector<double>& losses)
{
    const SeriesStore& steps = run.series()->steps();
    bool isEqual = steps.size() == static_cast<std::int64_t>(losses.size());
    for (std::int64_t i = 0; isEqual && i < steps.size(); ++i) {
        isEqual = steps.timeline().stepAt(i) == i
                  && std::abs(
                         static_cast<double>(steps.series(RunSeries::kMeanLoss).at(i))
                         - losses[static_cast<std::size_t>(i)])
                         < 1e-6 * std::max(1.0, losses[static_cast<std::size_t>(i)]);
    }
    return isEqual;
}

} // namespace lockstep::ui
