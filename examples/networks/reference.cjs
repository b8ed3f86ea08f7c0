// Runs ONNX models for trained.py with the package onnxruntime-node: a line of JSON in, one out.
//   {"model": "net.onnx", "level": "all", "inputs": {"x": {"type": "float32", "dims": [1, 2], "file": "x.bin"}}, "into": "y"}
const fs = require("fs");
const readline = require("readline");
const { createRequire } = require("module");
const runtime = createRequire(process.argv[2] + "/")("onnxruntime-node");

const arrays = { float32: Float32Array, int64: BigInt64Array };
const sessions = {};

async function run(job) {
  const key = job.model + job.level;
  sessions[key] ??= await runtime.InferenceSession.create(job.model, { graphOptimizationLevel: job.level });
  const feeds = {};
  for (const [name, { type, dims, file }] of Object.entries(job.inputs)) {
    const bytes = fs.readFileSync(file);
    const array = new arrays[type](bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    feeds[name] = new runtime.Tensor(type, array, dims);
  }
  const results = await sessions[key].run(feeds);
  return sessions[key].outputNames.map((name, index) => {
    const { type, dims, data } = results[name];
    fs.writeFileSync(job.into + index, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    return { name, type, dims, file: job.into + index };
  });
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let answer;
    try {
      answer = { outputs: await run(JSON.parse(line)) };
    } catch (error) {
      answer = { error: String(error) };
    }
    console.log(JSON.stringify(answer));
  }
})();
