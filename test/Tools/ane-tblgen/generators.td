// What each generator makes of a small map.
//
// RUN: ane-tblgen --gen-ane-reg-tables %td_inc %s | FileCheck %s --check-prefix=TABLES
// RUN: ane-tblgen --gen-ane-reg-enums %td_inc %s | FileCheck %s --check-prefix=ENUMS
// RUN: ane-tblgen --gen-ane-reg-views %td_inc %s | FileCheck %s --check-prefix=VIEWS
// RUN: ane-tblgen --gen-ane-reg-tests %td_inc %s | FileCheck %s --check-prefix=TESTS
// RUN: ane-tblgen --gen-ane-reg-doc %td_inc %s | FileCheck %s --check-prefix=DOC
// RUN: ane-tblgen --help | FileCheck %s --check-prefix=HELP

// HELP: OVERVIEW: Generator behind the register maps
// HELP-DAG: --gen-ane-reg-doc
// HELP-DAG: --gen-ane-reg-enums
// HELP-DAG: --gen-ane-reg-tables
// HELP-DAG: --gen-ane-reg-tests
// HELP-DAG: --gen-ane-reg-views

include "ane/HW/Registers/RegisterBase.td"

def Files : Source<Seen, "real files">;
def Hope : Source<Guess, "hope">;

def Mode : RegEnum<"Mode", [
  Enumerator<0, "Off", "nothing">,
  Enumerator<2, "On", "">,
]>;
def Shared : RegEnum<"Shared", [Enumerator<1, "One", "first">]>;

def Head : HeaderBlock<"Header", 1, "In front.", [
  HeaderWord<0, [EnumBits<"Common", 4, 4, Shared, Files, "either">]>,
]>;
def Body : RegBlock<"Body", 0x400, 8, "The rest.", [
  Reg<0x4, "Cfg", [
    EnumBits<"Mode", 9, 8, Mode, Hope, "what it does">,
    Bits<"Size", 7, 4, Log2<"rows">, Files, "how large">,
    EnumBits<"Again", 0, 0, Shared, Hope, "">,
  ]>,
  RegArray<0x10, "Stride", 2, [
    Bits<"Bytes", 31, 6, Shift<6>, Files, "how far">,
  ], /*reset=*/0x40>,
]>;
def H99 : RegMap<"H99", "A chip that does not exist.", [Head, Body]>;

// TABLES: static constexpr Enumerator H99_Shared_Enumerators[] = {
// TABLES-NEXT: {1, "One", "first"},
// TABLES: static constexpr Enumerator H99_Body_Mode_Enumerators[] = {
// TABLES: static constexpr Field H99_Header_Header0_Fields[] = {
// TABLES: static constexpr Field H99_Body_Cfg_Fields[] = {
// TABLES: {"Mode", 9, 8, Codec::Plain, 0, {H99_Body_Mode_Enumerators, 2}, "",
// TABLES-NEXT: "what it does",
// TABLES-NEXT: "hope", Confidence::Guess},
// TABLES-NEXT: {"Size", 7, 4, Codec::Log2, 0, {}, "rows",
// TABLES: static constexpr Register H99_Body_Registers[] = {
// TABLES-NEXT: {"Cfg", -1, 0x404, 0x3f1, 0x0, {H99_Body_Cfg_Fields, 3}},
// TABLES-NEXT: {"Stride", 0, 0x410, 0xffffffc0, 0x40, {H99_Body_Stride_Fields, 1}},
// TABLES-NEXT: {"Stride", 1, 0x414, 0xffffffc0, 0x40, {H99_Body_Stride_Fields, 1}},
// TABLES: static constexpr Block H99_Blocks[] = {
// TABLES-NEXT: {"Header", true, 0x0, 1,
// TABLES: {"Body", false, 0x400, 8,
// TABLES-NOT: _Pairs

// ENUMS: namespace ane::hw::h99 {
// ENUMS: enum class Shared : uint32_t {
// ENUMS: namespace Header {
// ENUMS-NEXT: using h99::Shared;
// ENUMS: namespace Body {
// ENUMS: using h99::Shared;
// ENUMS: enum class Mode : uint32_t {
// ENUMS-NEXT: Off = 0, ///< nothing
// ENUMS-NEXT: On = 2,
// ENUMS: case Mode::On: return "On";
// ENUMS: absl::optional<Mode> symbolizeMode(absl::string_view name) {

// VIEWS: namespace Header {
// VIEWS: inline constexpr EnumFieldRef<Shared> Common{{[{][{]}}"Header[0].Common", true, 0x0, 4, 4, Codec::Plain, 0{{[}][}]}};
// VIEWS: namespace Body {
// VIEWS: inline constexpr uint32_t Base = 0x400;
// VIEWS: inline constexpr uint32_t Cfg = 0x404;
// VIEWS: /// Bits 7:4: how large (rows).
// VIEWS-NEXT: inline constexpr FieldRef Cfg_Size{"Body.Cfg.Size", false, 0x404, 7, 4, Codec::Log2, 0};
// VIEWS: constexpr uint32_t Stride(uint32_t index) { return 0x410 + 4 * index; }
// VIEWS: constexpr FieldRef Stride_Bytes(uint32_t index) {
// VIEWS: "Body.Stride[1].Bytes",

// TESTS: ANE_FIELD_CASE(h99::Header::Common, "Header[0].Common", true, 0x0, 4, 4, 0x0, 0x1, 0x1)
// TESTS: ANE_FIELD_CASE(h99::Body::Cfg_Size, "Body.Cfg.Size", false, 0x404, 7, 4, 0x1, 0x8000, 0x0)
// TESTS: ANE_FIELD_CASE(h99::Body::Stride_Bytes(1), "Body.Stride[1].Bytes", false, 0x414, 31, 6, 0x0, 0xffffffc0, 0x40)

// DOC: # Registers of H99
// DOC: ## Header
// DOC: | word 0 | 4 | `Common` | `Shared` | either | seen (1) |
// DOC: ## Body
// DOC: 8 registers from 0x400.
// DOC: | 0x404 | `Cfg` | 9:8 | `Mode` | `Mode` | what it does | guess (2) |
// DOC-NEXT: |  |  | 7:4 | `Size` | rows, power of two | how large | seen (1) |
// DOC: | 0x410 | `Stride[2]`, reset 0x40 | 31:6 | `Bytes` | bytes, multiple of 0x40 | how far | seen (1) |
// DOC: `Mode`:
// DOC: | 2 | `On` |  |
// DOC: ## Enumerations that several blocks use
// DOC: ## Sources
// DOC: 1. real files
// DOC-NEXT: 2. hope
