// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/store/csv_output.h"
#include "storage/store/run_store_reader.h"

namespace lockstep {

/// Which steps of a run: those of the lineage, one row a step without gaps, or those of all
/// branches by branch and step, abandoned ones too, with the number of the branch in a first
/// column.
enum class CsvLines { Lineage, AllBranches };

/// A run as CSV, read from `store`, which outlives it: a header and one row for every step,
/// `step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,loss_tower_0,…,
/// train_accuracy,examples_per_second,seconds_per_batch,step_seconds,input_seconds,compute_seconds,
/// averaging_seconds,update_seconds,start_seconds_tower_0,…,copy_seconds_tower_0,…,
/// forward_seconds_tower_0,…,backward_seconds_tower_0,…,weight_decay_loss,cross_entropy_mean,
/// cross_entropy_tower_0,…` (the loss without weight decay), and where the network has several
/// objectives the losses of each, `segmentation_loss_mean,segmentation_loss_tower_0,…`. Numbers are
/// in the shortest form that reads back as the same double ("nan" and "inf" for what is none); a
/// tower that a step did not have, a phase that the device did not tell, and cross-entropies where
/// weight decay is not known, are left empty. Errors of the reader as they are.
CsvText stepsAsCsv(const RunStoreReader& store, CsvLines lines = CsvLines::Lineage);

/// The evaluations of the lineage as CSV, likewise, a row for each kind of weights:
/// `step,weights,examples,correct,accuracy,top5,average_precision,loss,segmentation_loss,…,
/// seconds`. The step is the number of updates that the weights had seen, so what a row tells comes
/// after the step of that number less one. What a network has not is left empty.
CsvText evaluationsAsCsv(const RunStoreReader& store);

} // namespace lockstep
