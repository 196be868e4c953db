import { processText } from '../evidence.js';
import { isOk } from '../health.js';
import { modelName } from '../server-args.js';
import type { State } from '../state.js';
import type { HeaderModel } from '../view-models/screen.js';
import { durationText } from '../words.js';
import { dataAgeMs } from './data-age.js';

/** Names under which the engines are known to their users. */
const engineTitles: Readonly<Record<string, string>> = {
  sglang: 'SGLang',
  vllm: 'vLLM',
  'llama.cpp': 'llama.cpp',
  trtllm: 'TensorRT-LLM',
  tgi: 'TGI',
  lmdeploy: 'LMDeploy',
  ollama: 'Ollama',
  python: 'Python',
};

/** `SGLang 0.5.9`; null until it is known. */
export function engineName(state: State): string | null {
  const { engine, engineVersion } = state.reading.findings();
  const title = engineTitles[engine] ?? null;
  return title && engineVersion ? `${title} ${engineVersion}` : title;
}

export function selectHeader(state: State): HeaderModel {
  const { target, host, attempt, process } = state;
  const findings = state.reading.findings();
  return {
    host: target.host,
    hostname: host && host.hostname !== target.host ? host.hostname : null,
    name: target.name,
    engine: engineName(state),
    modelName: modelName(findings.serverArgs),
    attempt: attempt?.number ?? null,
    readOnly: target.readOnly,
    link: { status: state.link.status, text: linkText(state) },
    // What was seen before the connection went is shown as what it is: old.
    process: {
      status: dataAgeMs(state) === null ? (process.fact?.status ?? 'unknown') : 'unknown',
      text: processText(state),
    },
    http: httpText(state),
  };
}

function linkText(state: State): string {
  const { link } = state;
  const ageMs = dataAgeMs(state);
  const age = ageMs === null ? '' : ` · data ${durationText(ageMs)} old`;
  switch (link.status) {
    case 'connecting':
      return 'connecting';
    case 'up':
      return 'connected';
    case 'down':
      return link.retryAt > state.now
        ? `link down${age} · next try in ${durationText(link.retryAt - state.now)}`
        : `link down${age} · connecting`;
    case 'waiting':
      if (link.trying) return `logging in${age}`;
      return link.needs === 'answer' ? `login needed (c)${age}` : `no connection (c tries)${age}`;
    case 'lost':
      return `no connection${age}`;
  }
}

function httpText(state: State): HeaderModel['http'] {
  if (!state.health) return null;
  const { answer } = state.health;
  const foreign = answer.owned === false ? ' (not this server)' : '';
  return {
    ok: isOk(answer) && answer.owned !== false && dataAgeMs(state) === null,
    text: `:${answer.port}${answer.path} ${resultText(answer.result)}${foreign}`,
  };
}

function resultText(result: NonNullable<State['health']>['answer']['result']): string {
  switch (result.kind) {
    case 'status':
      return String(result.code);
    case 'refused':
      return 'not listening';
    case 'timeout':
      return 'no answer';
    case 'failed':
      return result.reason;
  }
}
