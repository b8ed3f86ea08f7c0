// What apple-types.test compiles for arm64 macOS, without any header of a system.
#include "Messages.h"

using namespace ane::rt::apple;

static_assert(sizeof(void *) == 8 && sizeof(unsigned long) == sizeof(uint64_t) &&
                  sizeof(unsigned long long) == sizeof(uint64_t),
              "NSUInteger and 64 bits are one");

constexpr bool isSame(const char *a, const char *b) {
  for (; *a && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}
static_assert(isSame(messages::LoadModel.kinds, "i@:@@i^"), "");
static_assert(isSame(messages::MakeRequest.kinds, "@@:@@@@@@@"), "");
static_assert(isSame(messages::PurgeCompiledModel.kinds, "v@:@"), "");
static_assert(isSame(messages::SurfaceObject.kinds, "@@:^"), "");
static_assert(isSame(messages::ProgramHandle.kinds, "i@:"), "");

// One call of each message.
template <typename Result, typename... Arguments>
Result sendZeros(const Message<Result(Arguments...)> &message,
                 Implementation function, Id receiver, Selector selector) {
  return message.call(function, receiver, selector, Arguments()...);
}
#define ANE_MESSAGE(NAME, ...)                                                 \
  void call##NAME(Implementation function, Id receiver, Selector selector) {   \
    sendZeros(messages::NAME, function, receiver, selector);                   \
  }
#include "Messages.def"

bool answersYes(Implementation function, Id receiver, Selector selector) {
  return messages::LoadModel.call(function, receiver, selector, receiver,
                                  receiver, 21, &receiver);
}
