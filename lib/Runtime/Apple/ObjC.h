//===- ObjC.h - The Objective-C runtime, found at run time ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages are sent through the public functions of libobjc: the class of an
// object, the function of a class for a selector, a call of that function.
// What factories of classes return belongs to the pool that is open, so what is
// to stay is put into a Ref. Objective-C exceptions are C++ exceptions on
// 64-bit systems; `guarded` ends them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_OBJC_H
#define ANE_LIB_RUNTIME_APPLE_OBJC_H

#include "Libraries.h"
#include "Message.h"

#include "absl/strings/str_cat.h"

#include <utility>

namespace ane::rt::apple {

class ObjC {
public:
  absl::Status open(const Libraries &libraries);

  /// Null when there is none of that name.
  Id classNamed(const char *name) const { return getClass(name); }

  /// Fails unless the class exists, understands the message, and with these
  /// types: a wrong guess about them is then an error and not a crash.
  template <typename Result, typename... Arguments>
  absl::Status check(const Message<Result(Arguments...)> &message) const {
    return checkKinds(message.owner, message.ofClass, message.selector,
                      message.kinds);
  }

  bool understands(Id object, const char *selector) const {
    return object && respondsTo(classOf(object), registerName(selector));
  }

  /// Null receivers answer with zero, as in Objective-C.
  template <typename Result, typename... Arguments>
  Result send(const Message<Result(Arguments...)> &message, Id receiver,
              typename Exactly<Arguments>::Type... arguments) const {
    if (!receiver)
      return Result();
    lastSelector() = message.selector;
    Selector selector = registerName(message.selector);
    return message.call(implementation(classOf(receiver), selector), receiver,
                        selector, arguments...);
  }
  template <typename Result, typename... Arguments>
  Result sendClass(const Message<Result(Arguments...)> &message,
                   typename Exactly<Arguments>::Type... arguments) const {
    return send(message, classNamed(message.owner), arguments...);
  }

  /// Runs `function`, which returns a Status or StatusOr, in a pool of its own;
  /// an exception becomes an error that names the message.
  template <typename Function>
  auto guarded(Function &&function) const -> decltype(function()) {
    Pool pool(*this);
    try {
      return function();
    } catch (...) {
      return absl::InternalError(
          absl::StrCat("Apple's runtime threw an exception when it was sent '",
                       lastSelector(), "'"));
    }
  }

private:
  friend class Ref;
  struct Pool {
    explicit Pool(const ObjC &objc)
        : objc(objc), pool(objc.pushPool()), selector(lastSelector()) {}
    ~Pool() {
      objc.popPool(pool);
      // What cleans up after an exception does not hide who threw it.
      lastSelector() = selector;
    }
    const ObjC &objc;
    void *pool;
    const char *selector;
  };

  absl::Status checkKinds(const char *owner, bool ofClass, const char *selector,
                          const char *expected) const;
  static const char *&lastSelector();

  Id (*getClass)(const char *) = nullptr;
  Id (*classOf)(Id) = nullptr;
  Selector (*registerName)(const char *) = nullptr;
  Bool (*respondsTo)(Id, Selector) = nullptr;
  Method (*getMethod)(Id, Selector) = nullptr;
  const char *(*typesOf)(Method) = nullptr;
  Implementation (*implementation)(Id, Selector) = nullptr;
  void *(*pushPool)() = nullptr;
  void (*popPool)(void *) = nullptr;
  Id (*retain)(Id) = nullptr;
  void (*release)(Id) = nullptr;
};

/// Keeps an object. The ObjC outlives it.
class Ref {
public:
  Ref() = default;
  Ref(const ObjC &objc, Id object)
      : objc(&objc), object(object ? objc.retain(object) : nullptr) {}
  /// Of one that the caller owns, as alloc and init give it.
  static Ref adopt(const ObjC &objc, Id object) {
    Ref result;
    result.objc = &objc;
    result.object = object;
    return result;
  }
  Ref(Ref &&other) noexcept { *this = std::move(other); }
  Ref &operator=(Ref &&other) noexcept {
    std::swap(objc, other.objc);
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() {
    if (object)
      objc->release(object);
  }
  Id get() const { return object; }

private:
  const ObjC *objc = nullptr;
  Id object = nullptr;
};

/// What the types that the runtime records for a method (such as
/// "B48@0:8@16@24I32^@36") are to a calling convention: "i@:@@i^". A letter
/// that is none of those is '?'.
std::string kindsOfTypes(const char *types);

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_OBJC_H
