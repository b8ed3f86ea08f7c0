//===- LinuxDoctor.cpp - What a Linux machine lacks -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chip, node of the device tree, kernel module, firmware, device file, access,
// interface: each needs the ones in front of it. Chips and what has run on them
// are those of the published table of omarchy-ane 0.4.2 (README, October 2026).
//
//===----------------------------------------------------------------------===//

#include "LinuxDoctor.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace ane::rt::asahi {

namespace {
struct Chip {
  const char *compatible; ///< of the machine's device tree
  const char *name;
  hw::Generation generation;
  bool isTested; ///< a program has run on it under Linux
};

constexpr Chip chips[] = {
    {"apple,t8103", "M1", hw::Generation::H13, true},
    {"apple,t6000", "M1 Pro", hw::Generation::H13, true},
    {"apple,t6001", "M1 Max", hw::Generation::H13, true},
    {"apple,t6002", "M1 Ultra", hw::Generation::H13, false},
    {"apple,t8112", "M2", hw::Generation::H14, false},
    {"apple,t6020", "M2 Pro", hw::Generation::H14, true},
    {"apple,t6021", "M2 Max", hw::Generation::H14, true},
    {"apple,t6022", "M2 Ultra", hw::Generation::H14, false}};

const char *const page = "docs/Devices.md";

class Examination {
public:
  explicit Examination(System &system) : system(system) {}
  std::vector<Finding> run() {
    (void)(findChip() && findNode() && findModule() && findFirmware() &&
           findDevice());
    return std::move(findings);
  }

private:
  bool good(const char *what, std::string found) {
    findings.push_back({what, true, std::move(found), ""});
    return true;
  }
  bool missing(const char *what, std::string found, std::string next) {
    findings.push_back({what, false, std::move(found), std::move(next)});
    return false;
  }
  bool exists(const std::string &path) {
    std::string text;
    return system.read(path, text) >= 0;
  }

  bool findChip();
  bool findNode();
  bool findModule();
  bool findFirmware();
  bool findDevice();

  System &system;
  std::vector<Finding> findings;
  const Chip *chip = nullptr;
};

} // namespace

/// The root of the tree lists what the machine is, each ended by a zero.
bool Examination::findChip() {
  std::string text;
  if (system.read("/sys/firmware/devicetree/base/compatible", text) < 0)
    return missing("chip", "this machine has no device tree",
                   "Linux drives the engines of Macs with M1 or M2 chips only; "
                   "on macOS use --device=apple, anywhere the simulator "
                   "(--device=sim)");
  for (absl::string_view name : absl::StrSplit(text, '\0'))
    for (const Chip &known : chips)
      if (name == known.compatible)
        chip = &known;
  if (!chip)
    return missing(
        "chip",
        absl::StrCat("'",
                     absl::StrReplaceAll(text, {{std::string(1, '\0'), " "}}),
                     "' is none of M1 and M2"),
        "no driver is published for its engine; use the simulator "
        "(--device=sim)");
  return good("chip", absl::StrFormat(
                          "%s (%s, programs of %s)%s", chip->compatible,
                          chip->name, hw::info(chip->generation).name,
                          chip->isTested ? ""
                                         : "; no program is known to have run "
                                           "on it: start with a small one"));
}

/// The driver binds to a node "ane@ADDRESS" that is not disabled.
bool Examination::findNode() {
  for (const char *bus : {"soc", "soc@200000000", ""}) {
    const std::string folder =
        absl::StrCat("/sys/firmware/devicetree/base/", bus, *bus ? "/" : "");
    for (const std::string &name : system.list(folder)) {
      if (!absl::StartsWith(name, "ane@"))
        continue;
      std::string status;
      system.read(absl::StrCat(folder, name, "/status"), status);
      if (absl::StartsWith(status, "disabled"))
        return missing("device tree", absl::StrCat(name, " is disabled"),
                       absl::StrCat("apply the overlay of the driver and boot "
                                    "with it (",
                                    page, ", \"Device tree\")"));
      return good("device tree", name);
    }
  }
  return missing(
      "device tree", "no node 'ane@...'",
      absl::StrCat("apply the overlay of the driver and boot with it "
                   "(",
                   page, ", \"Device tree\")"));
}

bool Examination::findModule() {
  const char *module =
      chip->generation == hw::Generation::H14 ? "ane_t6021" : "ane";
  if (!system.list(absl::StrCat("/sys/module/", module)).empty())
    return good("kernel module", module);
  return missing("kernel module", absl::StrCat("'", module, "' is not loaded"),
                 absl::StrCat("sudo modprobe ", module,
                              "; if there is none, build it (", page,
                              ", \"Driver\")"));
}

/// Linux starts the firmware of M2 itself; iBoot that of M1.
bool Examination::findFirmware() {
  if (chip->generation != hw::Generation::H14)
    return true;
  const char *folder = "/usr/lib/firmware/apple/ane";
  if (!system.list(folder).empty())
    return good("firmware", folder);
  return missing(
      "firmware", absl::StrCat("nothing in ", folder),
      absl::StrCat("sudo omarchy-ane-firmware-fetch, then boot again "
                   "(",
                   page, ", \"Firmware\")"));
}

bool Examination::findDevice() {
  absl::StatusOr<Driver> driver = Driver::open(system);
  if (!driver.ok()) {
    // "...: what; the next step"
    std::pair<std::string, std::string> parts =
        absl::StrSplit(driver.status().message(), absl::MaxSplits("; ", 1));
    return missing("device", parts.first,
                   parts.second.empty()
                       ? absl::StrCat("see ", page, ", \"Errors\"")
                       : parts.second);
  }
  if (driver->generation() != chip->generation)
    return missing(
        "device",
        absl::StrFormat("the driver's interface, version %d, is not "
                        "that of this chip",
                        driver->interface()),
        absl::StrCat("load the module of this chip (", page, ", \"Driver\")"));
  return good("device", absl::StrFormat(
                            "ready, version %d of the driver's interface; try "
                            "ane-run add.anec --device=asahi",
                            driver->interface()));
}

std::vector<Finding> examine(System &system) {
  return Examination(system).run();
}

} // namespace ane::rt::asahi
