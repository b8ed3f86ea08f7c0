//===- Foundation.cpp - Strings, numbers, arrays, errors ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foundation.h"

#include "absl/strings/str_format.h"

namespace ane::rt::apple {
namespace {

// All of them are public interface of Foundation.
constexpr Message<Id(const char *)> StringOf{"NSString", true,
                                             "stringWithUTF8String:"};
constexpr Message<const char *()> UTF8String{"NSString", false, "UTF8String"};
constexpr Message<Id()> Description{"NSObject", false, "description"};
constexpr Message<Id(unsigned long long)> NumberOf{
    "NSNumber", true, "numberWithUnsignedLongLong:"};
constexpr Message<Id(Bool)> BooleanOf{"NSNumber", true, "numberWithBool:"};
constexpr Message<unsigned long long()> NumberValue{"NSNumber", false,
                                                    "unsignedLongLongValue"};
constexpr Message<Id(const Id *, unsigned long)> ArrayOf{
    "NSArray", true, "arrayWithObjects:count:"};
constexpr Message<unsigned long()> Count{"NSArray", false, "count"};
constexpr Message<Id(unsigned long)> ObjectAt{"NSArray", false,
                                              "objectAtIndex:"};
constexpr Message<Id(const Id *, const Id *, unsigned long)> DictionaryOf{
    "NSDictionary", true, "dictionaryWithObjects:forKeys:count:"};
constexpr Message<Id(Id)> ObjectFor{"NSDictionary", false, "objectForKey:"};
constexpr Message<Id(Id)> FileURL{"NSURL", true, "fileURLWithPath:"};
constexpr Message<Id()> Domain{"NSError", false, "domain"};
constexpr Message<long()> Code{"NSError", false, "code"};
constexpr Message<Id()> LocalizedDescription{"NSError", false,
                                             "localizedDescription"};

} // namespace

absl::Status Foundation::open(const Libraries &libraries) {
  Library library;
  if (absl::Status status = library.open(libraries.foundation); !status.ok())
    return status;
  for (const char *name :
       {"NSString", "NSNumber", "NSArray", "NSDictionary", "NSURL"})
    if (!objc.classNamed(name))
      return absl::NotFoundError(
          absl::StrFormat("%s has no class %s", libraries.foundation, name));
  return library.find("NSTemporaryDirectory", nsTemporaryDirectory);
}

Id Foundation::string(const std::string &text) const {
  return objc.sendClass(StringOf, text.c_str());
}

Id Foundation::number(uint64_t value) const {
  return objc.sendClass(NumberOf, value);
}

Id Foundation::boolean(bool value) const {
  return objc.sendClass(BooleanOf, value);
}

Id Foundation::array(absl::Span<const Id> objects) const {
  return objc.sendClass(ArrayOf, objects.data(), objects.size());
}

Id Foundation::dictionary(absl::Span<const Entry> entries) const {
  std::vector<Id> keys, values;
  for (const auto &[key, value] : entries) {
    keys.push_back(key);
    values.push_back(value);
  }
  return objc.sendClass(DictionaryOf, values.data(), keys.data(), keys.size());
}

Id Foundation::fileURL(const std::string &path) const {
  return objc.sendClass(FileURL, string(path));
}

std::string Foundation::temporaryFolder() const {
  return text(nsTemporaryDirectory());
}

std::string Foundation::text(Id object) const {
  if (!objc.understands(object, UTF8String.selector))
    object = objc.understands(object, Description.selector)
                 ? objc.send(Description, object)
                 : nullptr;
  const char *bytes = objc.send(UTF8String, object);
  return bytes ? bytes : "nothing";
}

absl::StatusOr<uint64_t> Foundation::toNumber(Id object,
                                              const std::string &what) const {
  if (objc.understands(object, NumberValue.selector))
    return objc.send(NumberValue, object);
  return absl::FailedPreconditionError(
      absl::StrFormat("%s is %s, expected a number", what, text(object)));
}

absl::StatusOr<std::vector<Id>>
Foundation::toArray(Id object, const std::string &what) const {
  if (!objc.understands(object, ObjectAt.selector))
    return absl::FailedPreconditionError(
        absl::StrFormat("%s is %s, expected an array", what, text(object)));
  std::vector<Id> objects(objc.send(Count, object));
  for (size_t i = 0; i < objects.size(); ++i)
    objects[i] = objc.send(ObjectAt, object, i);
  return objects;
}

absl::StatusOr<Id> Foundation::find(Id dictionary, const char *key,
                                    const std::string &what) const {
  if (objc.understands(dictionary, ObjectFor.selector))
    return objc.send(ObjectFor, dictionary, string(key));
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s is %s, expected a dictionary", what, text(dictionary)));
}

std::string Foundation::describeError(Id error) const {
  if (!objc.understands(error, LocalizedDescription.selector))
    return "it gives no reason";
  return absl::StrFormat("%s (%s, code %d)",
                         text(objc.send(LocalizedDescription, error)),
                         text(objc.send(Domain, error)),
                         static_cast<int64_t>(objc.send(Code, error)));
}

} // namespace ane::rt::apple
