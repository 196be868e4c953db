import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { EngineLog } from './log.js';
import type { ServerArgs } from './server-fields.js';

export interface HttpOptions {
  readonly args: ServerArgs;
  readonly log: EngineLog;
  readonly maxTotalTokens: number;
  readonly generate: (tokens: number, warmup: boolean) => Promise<void>;
}

export interface EngineHttp {
  /** SGLang's warm-up thread: asks this very server for its model, then for a first generation. */
  warmUp(): Promise<void>;
  setReady(): void;
}

interface Answer {
  readonly code: number;
  readonly body: unknown;
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  404: 'Not Found',
  405: 'Method Not Allowed',
  503: 'Service Unavailable',
};

/**
 * Binds the port and answers like SGLang 0.5.9: `/health` is 503 until ready. A taken port ends this process with
 * uvicorn's words and status 1.
 */
export function startHttp({ args, log, maxTotalTokens, generate }: HttpOptions): Promise<EngineHttp> {
  let ready = false;
  const answers: Readonly<Record<string, () => Promise<Answer> | Answer>> = {
    'GET /health': health,
    'GET /health_generate': health,
    'GET /ping': health,
    'GET /model_info': () => ({ code: 200, body: modelInfo(args) }),
    'GET /get_model_info': () => ({ code: 200, body: modelInfo(args) }),
    'GET /server_info': () => ({ code: 200, body: serverInfo(args, maxTotalTokens) }),
    'GET /get_server_info': () => ({ code: 200, body: serverInfo(args, maxTotalTokens) }),
    'GET /v1/models': () => ({ code: 200, body: models(args) }),
    'POST /generate': async () => {
      await generate(6, !ready);
      return { code: 200, body: { text: ' Paris', meta_info: { prompt_tokens: 6, completion_tokens: 8 } } };
    },
  };

  async function health(): Promise<Answer> {
    if (!ready) return { code: 503, body: null };
    await generate(1, false);
    return { code: 200, body: null };
  }

  const server = createServer((incoming, outgoing) => {
    void respond(incoming, outgoing, answers, log);
  });
  return listen(server, args, log).then(() => ({
    warmUp: async () => {
      await ask(args, 'GET', '/model_info');
      await ask(args, 'POST', '/generate');
    },
    setReady: () => {
      ready = true;
    },
  }));
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answers: Readonly<Record<string, () => Promise<Answer> | Answer>>,
  log: EngineLog,
): Promise<void> {
  const path = (incoming.url ?? '/').replace(/\?.*/, '');
  const find = answers[`${incoming.method} ${path}`];
  if (path.startsWith('/get_'))
    log.say(
      `Endpoint '${path}' is deprecated and will be removed in a future version. Please use '${path.replace('/get_', '/')}' instead.`,
    );
  incoming.resume();
  const { code, body } = (await find?.()) ?? { code: 404, body: { detail: 'Not Found' } };
  const peer = `${incoming.socket.remoteAddress ?? '-'}:${incoming.socket.remotePort ?? 0}`;
  log.access(
    `${peer} - "${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}" ${code} ${reasons[code] ?? ''}`,
  );
  outgoing.writeHead(code, body === null ? {} : { 'content-type': 'application/json' });
  outgoing.end(body === null ? '' : JSON.stringify(body));
}

function listen(server: Server, args: ServerArgs, log: EngineLog): Promise<void> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const address = `('${args.host}', ${args.port})`;
      const text = error.code === 'EADDRINUSE' ? 'address already in use' : error.message;
      log.say(`ERROR:    [Errno 98] error while attempting to bind on address ${address}: ${text}`);
      process.exit(1);
    });
    server.listen(args.port, args.host, () => {
      log.say(`INFO:     Uvicorn running on http://${args.host}:${args.port} (Press CTRL+C to quit)`);
      resolve();
    });
  });
}

function ask(args: ServerArgs, method: 'GET' | 'POST', path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: args.host, port: args.port, method, path, agent: false }, (incoming) => {
      incoming.resume();
      incoming.on('end', resolve);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const modelInfo = (args: ServerArgs): object => ({
  model_path: args.model_path,
  tokenizer_path: args.model_path,
  is_generation: true,
  weight_version: 'default',
});

const serverInfo = (args: ServerArgs, maxTotalTokens: number): object => ({
  ...args,
  status: 'ready',
  max_total_num_tokens: maxTotalTokens,
  version: '0.5.9',
});

const models = (args: ServerArgs): object => ({
  object: 'list',
  data: [{ id: args.served_model_name, object: 'model', owned_by: 'sglang', root: args.served_model_name }],
});
