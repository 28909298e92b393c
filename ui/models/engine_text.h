// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace lockstep::ui {

/// What the engine says in English (errors, notes, the help of settings, reasons of devices), in
/// the language of the window. The build knows the engine's texts with the places of their
/// arguments; arguments are kept, and translated where they are texts of the engine themselves.
/// What is not known stays as it is. To be called when something is shown, not when it is decided
/// upon. Any thread.
QString engineText(std::string_view text);

/// The text with a capital letter at its start, as a sentence has it; a path stays as it is.
QString capitalised(QString text);

/// What people call what configurations name, translated. Names that are not known stay as they
/// are.
///
/// "SegDecNet" for segdecnet; of a model file its name without ending.
QString modelTitle(const QString& model);
/// "generated pictures" for synthetic; where the data lie in a folder of a person's own
/// (image_folder, masked_folder, tfrecord), the name of that folder.
QString datasetTitle(const QString& dataset, const QString& path = {});
/// "CPU", "GPU 1" for cuda:1.
QString deviceTitle(const QString& device);
/// "rank 1 on node7", of a device of one of several ranks; else empty.
QString rankTitle(const QString& device);

} // namespace lockstep::ui
