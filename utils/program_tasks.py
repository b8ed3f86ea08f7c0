"""What a task reads and writes, by its words and the rules of docs/Formats/HWX.md and
docs/Simulator.md."""
import numpy as np

from program_memory import Place
from program_words import Wrong

L2_BYTES = 2 << 20
ALIGNMENT = 64  # of streams, strides and addresses in DRAM
TABLE_BYTES = 128
CONSTANTS, SCRATCH = 1, 3  # entries of the base table

# Common.Cfg.TaskType
NEURAL, UNARY, ELEMENTWISE, SCALE_BIAS, REDUCTION, ELEMENTWISE_REDUCTION = 0, 2, 3, 4, 5, 6
# L2.SourceCfg.SourceType and L2.ResultCfg.ResultType
RESIDENT, KEPT_OR_STAGED, STREAMED, CHAINED = 0, 1, 2, 3


def align(value, step):
    return -(-value // step) * step


class Kernel:
    """What the coefficient streams of a task hold, by its sizes."""

    def __init__(self, words):
        self.engines = 1 << words("Common.Cfg.ActiveNE")
        self.unicast = words("Common.GroupConvCfg.UnicastEn")
        # Depthwise, each channel has a unit of its own.
        self.group_lanes = 1 if self.unicast else 1 << words("Common.OCGSize.OCGSize" if words.has("Common.OCGSize.OCGSize") else "Common.ConvCfg.OCGSize")
        self.cin, self.cout = words("Common.Cin.Cin"), words("Common.Cout.Cout")
        self.groups = words("Common.GroupConvCfg.NumGroups")
        self.rows, self.columns = words("Common.ConvCfg.Kh"), words("Common.ConvCfg.Kw")
        self.depth = words("Common.ConvCfg3D.Kd")
        self.inputs = words("Common.GroupConvCfg.UnicastCin") if self.unicast else self.cin
        self.bias = words("NE.MACCfg.BiasMode")
        self.table = words("NE.MACCfg.NonlinearMode") == 2
        self.zero_skipping = words("NE.KernelCfg.SparseFmt")
        self.small = words("Common.Cfg.SmallSourceMode")
        self.size = 2 if words("NE.KernelCfg.KernelFmt") == 2 else 1

    def used_engines(self):
        return min(self.engines, self.cout)

    def passes(self):
        """(first channel, lanes) of each pass over the output channels."""
        first = 0
        while first < self.cout:
            lanes = min(self.group_lanes, -(-(self.cout - first) // self.engines))
            yield first, lanes
            first += lanes * self.engines

    def channels(self, engine, first, lanes):
        """Of a pass, how many channels the engine has."""
        return max(0, min(lanes, self.cout - first - engine * lanes))

    def dense_bytes(self, lanes):
        return (int(self.bias) + self.inputs * self.rows * self.columns * self.depth) * lanes * self.size

    def length(self, engine, read_unit):
        """Bytes of the stream of an engine. `read_unit(offset, lanes)` measures a unit that
        leaves out zeros."""
        at = TABLE_BYTES if self.table else 0
        for _ in range(1 if self.unicast else self.groups):
            for first, lanes in self.passes():
                # An engine without channels in a pass has a unit, too, but not depthwise.
                if self.unicast and not self.channels(engine, first, lanes):
                    continue
                at += read_unit(at, lanes) if self.zero_skipping else self.dense_bytes(lanes)
                # Passes lie one after the other, but in groups and where zeros are left out.
                if not self.unicast and (self.zero_skipping or self.groups > 1):
                    at = align(at, ALIGNMENT)
        return at

    def slot_entries(self, lanes):
        return max(lanes, 4 if self.small else 2)

    def unit_reader(self, data, mask_bytes):
        """Walks the masks of a unit of a zero-skipping stream."""

        def read(at, lanes):
            bias = lanes * self.size if self.bias else 0
            if at + bias + 3 > len(data):
                raise Wrong(f"a unit of a coefficient stream begins at byte {at:#x}, but the stream has {len(data):#x} bytes")
            said = int.from_bytes(data[at + bias:at + bias + 3], "little")
            slots = self.inputs * 4 * -(-self.rows // 2) * -(-self.columns // 2)
            entries = slots * self.slot_entries(lanes)
            place = start = at + bias + 3
            for _ in range(-(-entries // (8 * mask_bytes))):
                if place + mask_bytes > len(data):
                    raise Wrong(f"the masks of a coefficient stream need more than its {len(data):#x} bytes: "
                                f"{entries} entries of {lanes} lanes from byte {start:#x} on")
                mask = int.from_bytes(data[place:place + mask_bytes], "little")
                place += mask_bytes + self.size * bin(mask).count("1")
            if place - start != said:
                raise Wrong(f"a unit of a coefficient stream says that it has {said} bytes, but the masks of "
                            f"{entries} entries ({slots} slots of {self.slot_entries(lanes)}) take {place - start}")
            return place - at

        return read


class Task:
    """What a task reads and writes, and where."""

    def __init__(self, words, target):
        get = self.get = words
        self.target = target
        self.type = get("Common.Cfg.TaskType")
        self.neural = self.type == NEURAL
        self.groups = get("Common.GroupConvCfg.NumGroups")
        sizes = {0: 1, 1: 1, 2: 2}
        formats = [get(f"Common.ChCfg.{name}") for name in ("InFmt", "Src2InFmt", "OutFmt")]
        if any(format not in sizes for format in formats):
            raise Wrong(f"Common.ChCfg has the formats {formats}, expected 0 to 2")
        self.size_in, self.size_in2, self.size_out = (sizes[format] for format in formats)
        self.shape_in = [self.groups, get("Common.InDepth.Din"), get("Common.Cin.Cin"), get("Common.InDim.Hin"), get("Common.InDim.Win")]
        self.shape_out = [self.groups, get("Common.OutDepth.Dout"), get("Common.Cout.Cout"), get("Common.OutDim.Hout"), get("Common.OutDim.Wout")]
        if self.type in (REDUCTION, ELEMENTWISE_REDUCTION):
            # OutDim and OutDepth say what is reduced, which leaves one element.
            self.shape_out[1] = self.shape_out[3] = self.shape_out[4] = 1
        for what, shape in (("source", self.shape_in), ("result", self.shape_out)):
            if not all(shape):
                raise Wrong(f"the {what} has a size of 0: {shape}")
        # 0 is what a task of H14 has that does not write it.
        rows = get("Common.OutDim.Hout")
        self.tile_rows = min(get("Common.TileCfg.TileHeight") or rows, rows)
        self.source_type = get("L2.SourceCfg.SourceType")
        self.result_type = get("L2.ResultCfg.ResultType")
        self.has_source2 = self.type in (ELEMENTWISE, SCALE_BIAS, ELEMENTWISE_REDUCTION)
        self.source2_by_dma = bool(get("L2.SourceCfg.Src2Dma"))
        self.check_sizes()
        self.places()

    def check_sizes(self):
        get = self.get
        if not self.neural:
            if self.shape_in[2:3] != self.shape_out[2:3] or self.shape_in[3:] != [get("Common.OutDim.Hout"), get("Common.OutDim.Wout")]:
                raise Wrong(f"the planar engine makes {self.shape_out} of {self.shape_in}")
            return
        for name, size_in, size_out in (("x", self.shape_in[4], self.shape_out[4]), ("y", self.shape_in[3], self.shape_out[3])):
            window, step, pad = (get(f"Common.ConvCfg.{field}{name if field != 'K' else 'w' if name == 'x' else 'h'}") for field in "KSP")
            if not window or not step:
                raise Wrong(f"a window of {window} elements with a step of {step}")
            if (size_out - 1) * step - pad >= size_in:
                raise Wrong(f"the last window begins at {(size_out - 1) * step - pad} along {name}, but the source has {size_in} elements")

    def repeated(self, shape, mask):
        """The shape of a source that is repeated along the dimensions of the mask."""
        columns, rows, depth, channels = (mask >> bit & 1 for bit in range(4))
        return [shape[0], 1 if depth else shape[1], 1 if channels else shape[2], 1 if rows else shape[3], 1 if columns else shape[4]]

    def strides(self, block, prefix):
        return [self.get(f"{block}.{prefix}{name}Stride.Stride") for name in
                ("Group", "Depth", "Plane" if block.startswith("Tile") else "Channel", "Row")]

    def places(self):
        get = self.get
        exchange1 = not self.neural and bool(get("Common.PECfg.Src1Exchange"))
        exchange2 = not self.neural and bool(get("Common.PECfg.Src2Exchange"))
        exchange = bool(get("Common.Cfg.ResultExchange") if self.neural else get("Common.PECfg.ResultExchange"))
        shape1 = list(self.shape_in) if self.neural else self.repeated(self.shape_in, get("Common.PECfg.Src1Broadcast"))
        shape2 = self.repeated(self.shape_in, get("Common.PECfg.Src2Broadcast"))
        if self.type == SCALE_BIAS:
            # Row 0 is added, row 1 a factor; both are repeated over rows and columns.
            shape2[3:] = [2, 1]
        self.source = self.source2 = self.result = None
        self.dram_source = self.dram_source2 = self.dram_result = None
        if self.source_type != CHAINED:
            self.source = Place("source 1", shape1, self.size_in, get("L2.SourceBase.Addr"), self.strides("L2", "Source"), 1, exchange1)
        if self.source_type in (KEPT_OR_STAGED, STREAMED):
            self.dram_source = Place("source 1", shape1, self.size_in, get("TileDMASrc.Src1BaseAddr.Addr"),
                                     self.strides("TileDMASrc", "Src1"), get("TileDMASrc.Src1Fmt.Interleave"), exchange1)
        if self.has_source2:
            self.source2 = Place("source 2", shape2, self.size_in2, get("L2.Source2Base.Addr"), self.strides("L2", "Source2"), 1, exchange2)
            if self.source2_by_dma:
                self.dram_source2 = Place("source 2", shape2, self.size_in2, get("TileDMASrc.Src2BaseAddr.Addr"),
                                          self.strides("TileDMASrc", "Src2"), get("TileDMASrc.Src2Fmt.Interleave"), exchange2)
        if self.result_type != CHAINED:
            self.result = Place("result", list(self.shape_out), self.size_out, get("L2.ResultBase.Addr"), self.strides("L2", "Result"),
                                1, exchange)
        if self.result_type in (KEPT_OR_STAGED, STREAMED):
            self.dram_result = Place("result", list(self.shape_out), self.size_out, get("TileDMADst.BaseAddr.Addr"),
                                     self.strides("TileDMADst", ""), get("TileDMADst.Fmt.Interleave"), exchange)

    def base_of(self, role):
        """The entry of the base table that a DMA uses."""
        get = self.get
        if self.target == "h13":
            used, entry = {"source 1": ("RBE0", "RBase0"), "source 2": ("RBE1", "RBase1"), "result": ("WBE", "WBase"),
                           "coefficients": ("KBE0", "KBase0"), "table": ("KBE0", "KBase0")}[role]
            if not get(f"Header.{used}"):
                raise Wrong(f"{role} comes by DMA, but Header.{used} is not set" if role != "result" else
                            "the result is stored, but Header.WBE is not set")
            return get(f"Header.{entry}")
        register = {"source 1": "TileDMASrc.Src1BaseAddr", "source 2": "TileDMASrc.Src2BaseAddr", "result": "TileDMADst.BaseAddr",
                    "coefficients": "KernelDMASrc.CoeffBase", "table": "KernelDMASrc.NonlinearLutBase"}[role]
        if register not in get.bases:
            raise Wrong(f"the {role} is in DRAM, but no record with a base writes {register}")
        return get.bases[register]

    def tiles(self):
        """Rows of source 1 that the result rows of each tile need, (first, end)."""
        get = self.get
        rows_in, rows_out = self.shape_in[3], get("Common.OutDim.Hout")
        step, pad, window = get("Common.ConvCfg.Sy"), get("Common.ConvCfg.Py"), get("Common.ConvCfg.Kh")
        tiles = []
        for first in range(0, rows_out, self.tile_rows):
            end = min(first + self.tile_rows, rows_out)
            low, high = max(first * step - pad, 0), min((end - 1) * step - pad + window, rows_in)
            tiles.append((low, max(low, high)))
        return tiles

    def tile_of(self, place):
        """What one tile of a source that is streamed covers in L2."""
        rows = place.shape[3]
        if not (self.type == SCALE_BIAS and place.role == "source 2"):
            rows = min(rows, max(high - low for low, high in self.tiles()))
        return place.part(groups=1, rows=max(rows, 1))

    def in_place(self, source):
        """Whether each element of the result depends on the one of the source that lies there alone."""
        get = self.get
        same = [(count, step) for count, step in zip(source.shape, source.strides) if count > 1] == \
               [(count, step) for count, step in zip(self.result.shape, self.result.strides) if count > 1]
        pointwise = self.type in (UNARY, ELEMENTWISE, SCALE_BIAS)
        if self.neural:
            pointwise = get("Common.GroupConvCfg.UnicastEn") and get("NE.MACCfg.OpMode") in (0, 4) and \
                get("Common.ConvCfg.Kw") == get("Common.ConvCfg.Kh") == 1
        return pointwise and same and (source.base, source.size, source.exchange) == (self.result.base, self.result.size, self.result.exchange)

    def dma_bytes(self, place):
        """Each element once: whether tiles read again the rows that they share is not known."""
        return int(np.prod(place.shape)) * place.size

    def range_of(self, tile):
        """The bytes of L2 that a tile takes: whole rows. A row that is wider than its stride
        lies there in strips of columns, one after the other in the same place."""
        _, depth, _, rows, _ = tile.shape
        _, by_depth, _, by_row = tile.strides
        return tile.base, tile.base + (depth - 1) * by_depth + rows * by_row if by_row else tile.end()

    def result_range(self):
        """The bytes of L2 that a result takes on its way to DRAM."""
        if self.result.strides[3]:
            return self.range_of(self.result.part(groups=1, rows=min(self.tile_rows, self.result.shape[3])))
        # It has no strides. One row of all channels is what is checked.
        row = min(self.result.shape[4], 128 if self.neural else 512) * self.size_out
        return self.result.base, self.result.base + self.result.shape[2] * row
