//===- SessionTest.cpp - Runs in the background, events, states -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device of a few lines, so that a test decides when a run ends.
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/Session.h"

#include "absl/strings/str_cat.h"

#include "gmock/gmock.h"

#include <atomic>

using namespace ane;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Of all runs of a test.
struct Log {
  std::atomic<int> runs{0}, alive{0};
  rt::Event gate; ///< a run waits for its number
  bool isGated = false, fails = false;
};

/// y = x + 1, of one byte each.
class Adder : public rt::Executable {
public:
  explicit Adder(Log &log) : log(log) {
    ++log.alive;
    tensorsOf.resize(2);
    tensorsOf[0].name = "x";
    tensorsOf[1].name = "y";
    tensorsOf[1].kind = hw::TensorKind::Output;
    for (hw::Tensor &tensor : tensorsOf) {
      tensor.type = hw::ElementType::UInt8;
      tensor.bytes = 1;
    }
  }
  ~Adder() override { --log.alive; }
  absl::Span<const hw::Tensor> tensors() const override { return tensorsOf; }

private:
  absl::Status write(size_t tensor, absl::Span<const uint8_t> bytes) override {
    memory[tensor] = bytes[0];
    return absl::OkStatus();
  }
  absl::Status read(size_t tensor, absl::Span<uint8_t> bytes) override {
    bytes[0] = memory[tensor];
    return absl::OkStatus();
  }
  absl::StatusOr<rt::RunResult> execute(const rt::RunOptions &) override {
    const int run = ++log.runs;
    if (log.isGated)
      (void)log.gate.wait(run);
    if (log.fails)
      return absl::InternalError("no power");
    memory[1] = memory[0] + 1;
    return rt::RunResult();
  }
  absl::Status alias(size_t, size_t) override { return absl::OkStatus(); }
  absl::Status exchange(size_t input, size_t output) override {
    std::swap(memory[input], memory[output]);
    return absl::OkStatus();
  }

  Log &log;
  std::vector<hw::Tensor> tensorsOf;
  uint8_t memory[2] = {};
};

class Sessions : public ::testing::Test {
protected:
  ~Sessions() override {
    // What nobody waits for ends after the test.
    log.gate.signal(1000);
    for (int i = 0; i < 500 && log.alive; ++i)
      std::this_thread::sleep_for(milliseconds(10));
    EXPECT_EQ(log.alive, 0);
  }
  std::unique_ptr<rt::Session> session(int timeout = 0) {
    return std::make_unique<rt::Session>(std::make_unique<Adder>(log),
                                         milliseconds(timeout));
  }
  static rt::Surfaces surfaces(uint8_t x) { return {{x}, {0}}; }

  Log log;
};

TEST_F(Sessions, RunInOrder) {
  log.isGated = true;
  auto owner = session();
  std::vector<std::shared_ptr<rt::Request>> requests;
  std::mutex lock;
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) {
    requests.push_back(owner->submit(surfaces(10 * i)));
    requests.back()->onCompletion([&, i] {
      std::lock_guard<std::mutex> hold(lock);
      order.push_back(i);
    });
  }
  EXPECT_FALSE(requests[0]->waitFor(milliseconds(1)));
  log.gate.signal(5);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(requests[i]->wait().ok());
    EXPECT_EQ(requests[i]->surfaces()[1][0], 10 * i + 1);
  }
  // After the others, and told at once.
  rt::Surfaces last = surfaces(7);
  ASSERT_TRUE(owner->run(last).ok());
  EXPECT_EQ(last[1][0], 8);
  bool isTold = false;
  requests[0]->onCompletion([&] { isTold = true; });
  EXPECT_TRUE(isTold);
  owner.reset();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST_F(Sessions, CancelWhatHasNotBegun) {
  log.isGated = true;
  auto owner = session();
  auto first = owner->submit(surfaces(1)), second = owner->submit(surfaces(2)),
       third = owner->submit(surfaces(3));
  while (!log.runs)
    std::this_thread::yield();
  EXPECT_FALSE(first->cancel());
  EXPECT_TRUE(second->cancel());
  EXPECT_FALSE(second->cancel());
  EXPECT_EQ(second->wait().status().message(),
            "the run was cancelled before it began");
  std::thread opener([&] {
    std::this_thread::sleep_for(milliseconds(50));
    log.gate.signal(1);
  });
  owner.reset(); // waits for the first, and cancels the third
  opener.join();
  EXPECT_TRUE(first->wait().ok());
  EXPECT_TRUE(absl::IsCancelled(third->wait().status()));
  EXPECT_EQ(log.runs, 1);
}

TEST_F(Sessions, EndInTime) {
  log.isGated = true;
  auto owner = session(20);
  auto first = owner->submit(surfaces(1)), second = owner->submit(surfaces(2));
  EXPECT_EQ(first->wait().status().message(),
            "the engine did not finish in 20 ms; another program may hold it");
  EXPECT_EQ(second->wait().status().message(),
            "a run of this program did not end in time; load it again");
  owner.reset();
  EXPECT_EQ(log.alive, 1); // with the run that goes on
}

TEST_F(Sessions, OptionsHaveATimeOfTheirOwn) {
  log.isGated = true;
  auto owner = session(60000);
  rt::RunOptions options;
  options.timeout = milliseconds(10);
  rt::Surfaces own = surfaces(1);
  EXPECT_TRUE(absl::IsDeadlineExceeded(owner->run(own, options).status()));
}

TEST_F(Sessions, WaitForEventsAndRaiseThem) {
  auto loaded = std::make_shared<rt::Event>(),
       done = std::make_shared<rt::Event>();
  auto one = session(), two = session();
  rt::RunOptions first, second;
  first.waits = {{loaded, 3}};
  first.signals = {{done, 1}};
  second.waits = {{done, 1}};
  second.signals = {{done, 2}};
  auto later = two->submit(surfaces(5), second);
  auto sooner = one->submit(surfaces(4), first);
  EXPECT_FALSE(later->waitFor(milliseconds(30)));
  EXPECT_EQ(log.runs, 0);
  loaded->signal(2);
  loaded->signal(1); // never lowers
  EXPECT_EQ(loaded->value(), 2u);
  EXPECT_EQ(loaded->wait(3, milliseconds(1)).message(),
            "the event did not reach 3 in 1 ms, it is at 2");
  loaded->signal(4);
  EXPECT_TRUE(done->wait(2).ok());
  EXPECT_TRUE(later->wait().ok());
  EXPECT_EQ(later->surfaces()[1][0], 6);
}

TEST_F(Sessions, FailWithTheRunBefore) {
  auto done = std::make_shared<rt::Event>();
  auto one = session(), two = session();
  rt::RunOptions first, second;
  first.signals = {{done, 1}};
  second.waits = {{done, 1}};
  log.fails = true;
  auto later = two->submit(surfaces(5), second);
  EXPECT_EQ(one->submit(surfaces(4), first)->wait().status().message(),
            "no power");
  EXPECT_EQ(later->wait().status().message(),
            "the run that was to raise the event to 1 failed: no power");
  EXPECT_EQ(log.runs, 1);
}

TEST_F(Sessions, DoNotWaitForEventsForever) {
  auto never = std::make_shared<rt::Event>();
  rt::RunOptions options;
  options.waits = {{never, 1}};
  auto owner = session();
  auto request = owner->submit(surfaces(1), options);
  owner.reset();
  EXPECT_TRUE(absl::IsCancelled(request->wait().status()));
  options.timeout = milliseconds(30);
  rt::Surfaces own = surfaces(1);
  EXPECT_THAT(session()->run(own, options).status().message(),
              HasSubstr("the event did not reach 1"));
  EXPECT_EQ(log.runs, 0);
}

TEST_F(Sessions, KeepStates) {
  auto owner = session();
  rt::Executable &loaded = owner->executable();
  ASSERT_TRUE(loaded.keep("x", "y", rt::Keeping::Exchange).ok());
  uint8_t state = 40;
  ASSERT_TRUE(loaded.writeState(0, absl::MakeConstSpan(&state, 1)).ok());
  for (int i = 0; i < 2; ++i)
    owner->submit({{}, {}});
  rt::Surfaces last = {{}, {0}};
  ASSERT_TRUE(owner->run(last).ok());
  EXPECT_EQ(last[1][0], 43);
  ASSERT_TRUE(loaded.readState(0, absl::MakeSpan(&state, 1)).ok());
  EXPECT_EQ(state, 43);
  // An array for it is the state.
  last = {{9}, {}};
  ASSERT_TRUE(owner->run(last).ok());
  ASSERT_TRUE(loaded.readState(0, absl::MakeSpan(&state, 1)).ok());
  EXPECT_EQ(state, 10);
}

TEST_F(Sessions, SayWhatIsNoState) {
  auto owner = session();
  rt::Executable &loaded = owner->executable();
  using rt::Keeping;
  EXPECT_EQ(loaded.keep("z", "y", Keeping::Exchange).message(),
            "the program has no input 'z'");
  EXPECT_EQ(loaded.keep("x", "x", Keeping::Exchange).message(),
            "the program has no output 'x'");
  EXPECT_EQ(loaded.keep(1, 0, Keeping::Exchange).message(),
            "a state is an input and an output, not tensors 1 and 0");
  EXPECT_THAT(loaded.keep(0, 1, Keeping::Alias).message(),
              HasSubstr("is known of register programs only"));
  uint8_t state[2] = {};
  EXPECT_EQ(loaded.readState(0, absl::MakeSpan(state, 1)).message(),
            "tensor 0 is no input that is kept");
  ASSERT_TRUE(loaded.keep(0, 1, Keeping::Exchange).ok());
  EXPECT_EQ(loaded.keep(0, 1, Keeping::Exchange).message(),
            "'x' is part of a state already");
  EXPECT_EQ(loaded.writeState(0, state).message(),
            "tensor 'x' has 1 bytes, its buffer 2");
  rt::Surfaces wrong = {{1, 2}, {}};
  EXPECT_EQ(owner->run(wrong).status().message(),
            "tensor 'x' has 1 bytes, its buffer 2");
  EXPECT_THAT(loaded.procedure({}).status().message(),
              HasSubstr("programs of one procedure"));
}

/// Requests from several threads, for a sanitizer to look at.
TEST_F(Sessions, ManyThreadsSubmit) {
  auto owner = session();
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  threads.reserve(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        auto request = owner->submit(surfaces(t * 20 + i % 20));
        request->onCompletion([&] { ++right; });
        right += request->wait().ok() &&
                 request->surfaces()[1][0] == uint8_t(t * 20 + i % 20 + 1);
        rt::Surfaces own = surfaces(i);
        right += owner->run(own).ok() && own[1][0] == uint8_t(i + 1);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  owner.reset();
  EXPECT_EQ(right, 8 * 50 * 3);
}

} // namespace
