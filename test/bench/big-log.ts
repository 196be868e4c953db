import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes a log as a busy SGLang server leaves it: a start, then requests with noise, and a crash. Returns its bytes. */
export function writeBigLog(path: string, lines: number): number {
  const file = openSync(path, 'w');
  const random = dice(1);
  let bytes = 0;
  let batch: string[] = [];
  const flush = (): void => {
    const chunk = Buffer.from(`${batch.join('\n')}\n`);
    bytes += chunk.length;
    writeSync(file, chunk);
    batch = [];
  };
  const last = lines - crash.length;
  for (let line = 0; line < last; line += 1) {
    batch.push(opening[line] ?? served(line, random));
    if (batch.length === 10_000) flush();
  }
  batch.push(...crash);
  flush();
  closeSync(file);
  return bytes;
}

/** Numbers from 0 to 1, the same in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const bar = (done: number): string =>
  `Loading safetensors checkpoint shards: ${done}% Completed | ${done}/100 [00:${10 + (done % 50)}<00:20,  2.30it/s]`;

const opening: readonly string[] = [
  "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=8, port=30000)",
  '[2026-03-01 12:00:02 TP0] Init torch distributed begin.',
  '[2026-03-01 12:00:04 TP0] Load weight begin. avail mem=140.00 GB',
  Array.from({ length: 101 }, (_, done) => bar(done)).join('\r'),
  '[2026-03-01 12:00:40 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=60.00 GB',
  '[2026-03-01 12:00:44 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=12.00 GB',
  '[2026-03-01 12:01:44 TP0] Capture cuda graph end. Time elapsed: 60.00 s. avail mem=10.00 GB',
  '[2026-03-01 12:01:45] INFO:     Application startup complete.',
  '[2026-03-01 12:01:45] INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)',
  '[2026-03-01 12:01:50] The server is fired up and ready to roll!',
];

const crash: readonly string[] = [
  '[2026-03-01 23:00:00 TP3] Scheduler hit an exception: Traceback (most recent call last):',
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
  '    scheduler.event_loop_overlap()',
  'RuntimeError: CUDA error: an illegal memory access was encountered',
];

/** Of a hundred lines: 50 batches, 34 requests, and what else a log holds, among it tracebacks of failed requests. */
function served(line: number, random: () => number): string {
  const number = (max: number): number => Math.floor(random() * max);
  const seconds = Math.floor(line / 25);
  const at = `2026-03-01 ${two(13 + (Math.floor(seconds / 3600) % 10))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const rank = `TP${number(8)}`;
  const kind = number(100);
  const trace = line % 20_000;
  if (trace < traceback.length) return traceback[trace] ?? '';
  if (kind < 36)
    return `[${at} ${rank}] Decode batch, #running-req: ${number(64)}, #token: ${number(90_000)}, token usage: 0.${two(number(99))}, cuda graph: True, gen throughput (token/s): ${number(4000)}.12, #queue-req: ${number(9)}, `;
  if (kind < 50)
    return `[${at} ${rank}] Prefill batch, #new-seq: ${number(8)}, #new-token: ${number(8192)}, #cached-token: ${number(4096)}, token usage: 0.${two(number(99))}, #queue-req: 0, `;
  if (kind < 84)
    return `[${at}] INFO:     10.0.${number(255)}.${number(255)}:${40_000 + number(9999)} - "POST /v1/chat/completions HTTP/1.1" ${kind < 82 ? '200 OK' : '400 Bad Request'}`;
  if (kind < 88)
    return `[${at}] Receive: obj=GenerateReqInput(rid='${number(1e9).toString(16)}', text='Erkläre die Wärmelehre in ${number(90)} Sätzen – 請用中文 😀', sampling_params={'temperature': 0.7, 'max_new_tokens': ${number(4096)}}, stream=True)`;
  if (kind < 92)
    return `[${at} ${rank}] WARNING: KV cache pool is full. Retract requests. #retracted_reqs: ${number(5)}, #new_token_ratio: 0.${two(number(99))}`;
  if (kind < 96) return `${bar(number(100))}\r${bar(number(100))}\r${bar(100)}`;
  if (kind < 98)
    return `\x1b[32m[${at} ${rank}]\x1b[0m INFO scheduler_metrics: latency p50=${number(900)} ms p99=${number(9000)} ms errors=0 timeouts=${number(3)}`;
  return `[${at} ${rank}] ERROR: request ${number(1e9).toString(16)} failed: the client closed the connection`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A failed request after ready: no crash. */
const traceback: readonly string[] = [
  '[2026-03-01 13:00:00] ERROR:    Exception in ASGI application',
  'Traceback (most recent call last):',
  '  File "/usr/lib/python3/dist-packages/uvicorn/protocols/http/h11_impl.py", line 403, in run_asgi',
  '    result = await app(self.scope, self.receive, self.send)',
  '  File "/opt/sglang/srt/entrypoints/http_server.py", line 710, in generate_request',
  '    ret = await tokenizer_manager.generate_request(obj, request).__anext__()',
  'ValueError: The input (40960 tokens) is longer than the context length (32768 tokens).',
];
