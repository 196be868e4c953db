import { startHttp } from './http.js';
import type { EngineLog } from './log.js';
import type { Pace } from './pace.js';
import { startRanks } from './ranks.js';
import { describeServerArgs } from './server-args.js';
import type { ServerArgs } from './server-fields.js';

export interface ServeOptions {
  readonly folder: string;
  readonly speed: number;
  readonly args: ServerArgs;
  readonly log: EngineLog;
  readonly pace: Pace;
}

/** The main process from its arguments line to ready, and on until a signal ends it. */
export async function serve({ folder, speed, args, log, pace }: ServeOptions): Promise<void> {
  log.say(describeServerArgs(args));
  await pace.pause(500);
  log.say('Using default HuggingFace chat template with detected content format: openai');
  const ranks = startRanks({ folder, speed, args, log });
  const { maxTotalTokens } = await ranks.ready;
  await pace.pause(400);
  log.say(`INFO:     Started server process [${process.pid}]`);
  log.say('INFO:     Waiting for application startup.');
  log.say('INFO:     Application startup complete.');
  const http = await startHttp({ args, log, maxTotalTokens, generate: ranks.generate });
  // From here on a signal is the tokenizer manager's: it says so before everything goes.
  process.on('SIGTERM', () => {
    log.say('SIGTERM received. signum=15 frame=None. Draining requests and shutting down...');
    log.say('Gracefully exiting... Remaining number of requests 0. Remaining requests remaining_rids=[].');
    ranks.killTree();
  });
  await pace.pause(500);
  if (!args.skip_server_warmup) await http.warmUp();
  http.setReady();
  ranks.setRunning();
  log.say('The server is fired up and ready to roll!');
}
