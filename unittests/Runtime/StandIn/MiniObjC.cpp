//===- MiniObjC.cpp - Objects, classes and messages in C++ ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MiniObjC.h"

#include <memory>

#define ANE_EXPORT extern "C" __attribute__((visibility("default")))

namespace ane::standin {

Control &aneStandIn() {
  static Control control;
  return control;
}

static std::map<std::string, std::unique_ptr<ClassObject>> &classes() {
  static std::map<std::string, std::unique_ptr<ClassObject>> all;
  return all;
}

static std::vector<std::vector<Id>> &pools() {
  static thread_local std::vector<std::vector<Id>> all;
  return all;
}

ClassObject &classNamed(const std::string &name) {
  std::unique_ptr<ClassObject> &entry = classes()[name];
  if (!entry)
    entry = std::make_unique<ClassObject>(name);
  return *entry;
}

Object::Object(const char *className)
    : isa(className ? &classNamed(className).objects : nullptr) {
  if (className)
    ++aneStandIn().alive;
}

Object::~Object() {
  if (references != 0 && !dynamic_cast<ClassObject *>(this))
    complain("destroyed while in use");
}

ClassObject::ClassObject(const std::string &name) : Object(nullptr) {
  objects.name = itself.name = name;
  isa = &itself;
  references = 0;
}

std::mutex &standInLock() {
  static std::mutex lock;
  return lock;
}

void complain(const std::string &what) {
  std::lock_guard<std::mutex> lock(standInLock());
  aneStandIn().complaints.push_back(what);
}

Id retain(Id object) {
  if (object)
    ++object->references;
  return object;
}

void release(Id object) {
  if (!object)
    return;
  const int left = --object->references;
  if (left > 0)
    return;
  if (left < 0)
    return complain("released once too often");
  if (pools().empty())
    complain("destroyed without a pool");
  --aneStandIn().alive;
  delete object;
}

Id autorelease(Id object) {
  if (pools().empty())
    complain("made without a pool");
  else
    pools().back().push_back(object);
  return object;
}

bool note(const char *selector) {
  Control &control = aneStandIn();
  if (control.throwAt == selector)
    throw std::string("NSInvalidArgumentException");
  return control.answerNil.count(selector);
}

/// The method, unless a test has taken it away.
static Method *find(Class *owner, const std::string &selector) {
  Control &control = aneStandIn();
  auto found = owner->methods.find(selector);
  if (found == owner->methods.end() || control.missing.count(selector))
    return nullptr;
  return &found->second;
}

[[noreturn]] static void forward() {
  complain("an object was sent what it does not understand");
  throw std::string("unrecognized selector");
}

// NOLINTBEGIN(readability-identifier-naming,performance-no-int-to-ptr)
// What libobjc exports. An object's class and a class as an object are two
// things here, so the functions take what the other ones give.

ANE_EXPORT ClassObject *objc_getClass(const char *name) {
  static bool isFilled = (addFoundation(), addEngine(), true);
  (void)isFilled;
  auto found = classes().find(name);
  if (found == classes().end() || aneStandIn().missing.count(name))
    return nullptr;
  return found->second.get();
}

/// Of a class as an object: another object, whose methods are "+".
ANE_EXPORT Class *object_getClass(Object *object) { return object->isa; }

ANE_EXPORT Selector sel_registerName(const char *name) {
  static std::set<std::string> names;
  std::lock_guard<std::mutex> lock(standInLock());
  return &*names.insert(name).first;
}

/// Callers give a class from objc_getClass, too.
static Class *classOf(void *object) {
  for (auto &[name, entry] : classes())
    if (entry.get() == object)
      return &entry->objects;
  return static_cast<Class *>(object);
}

ANE_EXPORT Bool class_respondsToSelector(void *owner, Selector selector) {
  return find(classOf(owner), *selector) != nullptr;
}

ANE_EXPORT Method *class_getInstanceMethod(void *owner, Selector selector) {
  return find(classOf(owner), *selector);
}

ANE_EXPORT const char *method_getTypeEncoding(Method *method) {
  auto &other = aneStandIn().types;
  auto found = other.find(method->selector);
  return (found == other.end() ? method->types : found->second).c_str();
}

ANE_EXPORT void (*class_getMethodImplementation(void *owner,
                                                Selector selector))() {
  Method *method = find(classOf(owner), *selector);
  return method ? method->function : forward;
}

ANE_EXPORT void *objc_autoreleasePoolPush() {
  pools().emplace_back();
  return reinterpret_cast<void *>(pools().size());
}

ANE_EXPORT void objc_autoreleasePoolPop(void *pool) {
  if (reinterpret_cast<size_t>(pool) != pools().size())
    complain("pools are not closed in order");
  // What they let go may still come to this pool.
  for (size_t i = 0; i < pools().back().size(); ++i)
    release(pools().back()[i]);
  pools().pop_back();
}

ANE_EXPORT Id objc_retain(Id object) { return retain(object); }
ANE_EXPORT void objc_release(Id object) { release(object); }
// NOLINTEND(readability-identifier-naming,performance-no-int-to-ptr)

} // namespace ane::standin
