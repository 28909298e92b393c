// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/base/mailbox.h"
#include "window/commands/files.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"

#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QUrl>
#include <QWindow>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kPadding = 16;

using Files = std::vector<std::filesystem::path>;

/// The local files and folders that are dragged.
Files filesOf(const QMimeData& data)
{
    Files files;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            files.push_back(toPath(url.toLocalFile()));
        }
    }
    return files;
}

/// Stands before every part of the window, so that none has to know of files, and a field does not
/// take one for text.
class DropTarget : public QObject
{
public:
    DropTarget(const WindowParts& parts, OpenCommands& opens)
        : QObject(&parts.owner), m_window(parts.window), m_note(new QLabel(&m_window)),
          m_opens(opens), m_looks(
                              *this,
                              [](const Files& files) { // a folder may have thousands
                                  return std::make_shared<const FileKind>(kindOf(files.front()));
                              },
                              [this](const Files& files, const auto& first) {
                                  if (files == m_dragged) {
                                      say(m_opens.promiseOf(*first, files.size()));
                                  }
                              })
    {
        m_note->setObjectName(QStringLiteral("drop_note"));
        m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
        m_note->setAutoFillBackground(true);
        m_note->setMargin(kPadding);
        m_note->hide();
        QCoreApplication::instance()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        switch (event->type()) {
        case QEvent::DragEnter:
        case QEvent::DragMove:
        case QEvent::Drop:
            return isOurs(watched) && take(static_cast<QDropEvent&>(*event));
        case QEvent::DragLeave:
            leave();
            return false;
        default:
            return false;
        }
    }

private:
    /// The window, or a dock that floats.
    [[nodiscard]] bool isOurs(const QObject* watched) const
    {
        const auto shows = [watched](const QWidget* part) {
            return part->windowHandle() == watched;
        };
        return watched->isWindowType()
               && (shows(&m_window)
                   || std::ranges::any_of(m_window.findChildren<QDockWidget*>(), shows));
    }

    bool take(QDropEvent& event)
    {
        const auto files = filesOf(*event.mimeData());
        if (files.empty() || QApplication::activeModalWidget() != nullptr) {
            return false;
        }
        event.setDropAction(Qt::CopyAction);
        event.accept();
        if (event.type() == QEvent::DragEnter) {
            m_dragged = files;
            m_looks.request(files);
        } else if (event.type() == QEvent::Drop) {
            leave();
            m_opens.open(files);
        }
        return true;
    }

    void leave()
    {
        m_dragged.clear();
        m_note->hide();
    }

    void say(const QString& promise)
    {
        QPalette colors = QApplication::palette();
        colors.setColor(QPalette::Window, colors.color(QPalette::Highlight));
        colors.setColor(QPalette::WindowText, colors.color(QPalette::HighlightedText));
        m_note->setPalette(colors);
        m_note->setText(promise);
        m_note->setWordWrap(false);
        const int most = m_window.width() - 2 * kPadding;
        const bool isLong = m_note->sizeHint().width() > most;
        m_note->setWordWrap(isLong);
        m_note->resize(isLong ? QSize(most, m_note->heightForWidth(most)) : m_note->sizeHint());
        m_note->move(
            (QPoint(m_window.width(), m_window.height()) - m_note->rect().bottomRight()) / 2);
        m_note->raise();
        m_note->show();
    }

    QMainWindow& m_window;
    QLabel* m_note;
    OpenCommands& m_opens;
    Files m_dragged; ///< over the window
    LatestRequest<Files, FileKind> m_looks;
};

} // namespace

void addDropTarget(const WindowParts& parts, OpenCommands& opens)
{
    new DropTarget(parts, opens);
}

} // namespace lockstep::ui
