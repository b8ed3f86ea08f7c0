//===- RegisterFile.h - What earlier tasks left in registers ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register of H13 that a task does not write keeps what an earlier one wrote
// (published by those who drive the engine from Linux). What it holds before
// the first write is not known. Tasks of later generations write all registers
// in their form for H13: what they leave out has its reset value in each task.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_REGISTERFILE_H
#define ANE_HW_REGISTERFILE_H

#include "ane/HW/Task.h"

#include <map>

namespace ane::hw {

class RegisterFile {
public:
  /// Takes the writes of `task` and returns it with records added for all
  /// registers that only earlier tasks wrote.
  Task execute(Task task) {
    for (const Record &record : task.records)
      for (size_t i = 0; i < record.words.size(); ++i)
        words[record.addressOf(i)] = record.words[i];
    std::vector<Record> kept;
    for (const auto &[address, word] : words) {
      if (task.writes(address))
        continue;
      if (kept.empty() ||
          kept.back().address + 4 * kept.back().words.size() != address)
        kept.push_back({address, {}});
      kept.back().words.push_back(word);
    }
    task.records.insert(task.records.end(), kept.begin(), kept.end());
    return task;
  }

private:
  std::map<uint32_t, uint32_t> words; ///< by address
};

} // namespace ane::hw

#endif // ANE_HW_REGISTERFILE_H
