import { describe, expect, it } from 'vitest';
import { withLineArgs } from '../../src/core/line-args.js';

const put = (line: string, ...group: readonly string[]): string | null => withLineArgs(line, [group]);

const serve = 'python -m vllm.entrypoints.openai.api_server --model /m --tp 8';

describe('arguments in a line for a shell', () => {
  it.each([
    [`source ~/venv/bin/activate && ${serve}`, `source ~/venv/bin/activate && ${serve} --max-num-seqs 64`],
    [
      `set -e\ncd /srv; A="x y" exec ${serve}\n`,
      `set -e\ncd /srv; A="x y" exec ${serve} --max-num-seqs 64\n`,
    ],
    [`${serve} # tried before`, `${serve} --max-num-seqs 64 # tried before`],
    [`${serve} > run.log 2>&1`, `${serve} --max-num-seqs 64 > run.log 2>&1`],
    [`${serve} \\\n  --seed "$SEED"`, `${serve} \\\n  --seed "$SEED" --max-num-seqs 64`],
    ['cd /srv && ./serve.sh --tp 8;', 'cd /srv && ./serve.sh --tp 8 --max-num-seqs 64;'],
    ['test -f x || make x; ./serve.sh', null],
    ['make x && ./serve.sh', 'make x && ./serve.sh --max-num-seqs 64'],
  ])('come last in its last command: %j', (line, expected) => {
    expect(put(line, '--max-num-seqs', '64')).toBe(expected);
  });

  it.each([
    [`x && ${serve} --seed 1`, `x && ${serve.replace('8', '4')} --seed 1`],
    ['vllm serve m --tp=8 --seed 1', 'vllm serve m --tp 4 --seed 1'],
    ['vllm serve m --tp "$N" --seed 1', 'vllm serve m --tp 4 --seed 1'],
    ['vllm serve m --tp 2 --tp 8', 'vllm serve m --tp 2 --tp 4'],
    // That of another command is another flag.
    ['./tool --tp 8 && vllm serve m', './tool --tp 8 && vllm serve m --tp 4'],
  ])('replace the value of the same flag: %j', (line, expected) => {
    expect(put(line, '--tp', '4')).toBe(expected);
  });

  it('are quoted as the shell needs it', () => {
    expect(put('vllm serve m', '--json', `{"a": "it's $HOME"}`)).toBe(
      `vllm serve m --json '{"a": "it'\\''s $HOME"}'`,
    );
  });

  it.each([
    `${serve} | tee log`,
    `${serve} |& tee log`,
    `${serve}; echo ended with $?`,
    `${serve} || ./tell-me`,
    `${serve} && ./tell-me`,
    `./prepare || ${serve}`,
    `${serve} &`,
    `(cd /srv && ${serve})`,
    `{ ${serve}; }`,
    `if true; then ${serve}; fi`,
    `bash -c '${serve}'`,
    `ssh other ${serve}`,
    `tmux new -d '${serve}'`,
    `nohup sh -c "$LINE"`,
    './serve.sh; ./tell-me',
    `${serve} --seed $(cat seed)`,
    'cat <<END > x\nEND\nvllm serve m',
    "vllm serve $'it\\'s' m",
    'vllm serve m --name "open',
    'vllm serve m -- more',
    'vllm serve m --t\\\np 8',
    'echo vllm serve m',
    'source venv/bin/activate &&',
    '',
  ])('are refused where their place is not certain: %j', (line) => {
    expect(put(line, '--tp', '4')).toBeNull();
  });
});
