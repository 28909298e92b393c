// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockstep::ui {

/// What people call what configurations name, translated. Names that are not known stay as they
/// are.

/// "SegDecNet" for segdecnet; of a model file its name without ending.
QString modelTitle(const QString& model);
/// "generated pictures" for synthetic; where the data lie in a folder of a person's own
/// (image_folder, tfrecord), the name of that folder.
QString datasetTitle(const QString& dataset, const QString& path = {});
/// "CPU", "GPU 1" for cuda:1.
QString deviceTitle(const QString& device);

} // namespace lockstep::ui
