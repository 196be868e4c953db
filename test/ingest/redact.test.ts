import { describe, expect, it } from 'vitest';
import { redact, redactArgv, redactEnv } from '../../src/ingest/redact.js';

const secrets: readonly (readonly [string, string])[] = [
  // Command lines.
  ['vllm serve m --api-key s3cr3t --port 1', 'vllm serve m --api-key *** --port 1'],
  ['vllm serve m --api-key=s3cr3t --port 1', 'vllm serve m --api-key=*** --port 1'],
  ["x --api-key 'two words' --port 1", "x --api-key '***' --port 1"],
  ['x --admin-api-key "a\\"b" -v', 'x --admin-api-key "***" -v'],
  ['x --hf-token s3cr3t', 'x --hf-token ***'],
  ['x --token s3cr3t --tp 8', 'x --token *** --tp 8'],
  ['x --ssl-keyfile-password pw1', 'x --ssl-keyfile-password ***'],
  ['x -password pw1 y', 'x -password *** y'],
  // The environment.
  ['HF_TOKEN=s3cr3t python3 -m server', 'HF_TOKEN=*** python3 -m server'],
  ['export OPENAI_API_KEY="s3cr3t"; run', 'export OPENAI_API_KEY="***"; run'],
  ['AWS_SECRET_ACCESS_KEY=a/b+c AWS_ACCESS_KEY_ID=AB', 'AWS_SECRET_ACCESS_KEY=*** AWS_ACCESS_KEY_ID=***'],
  ['MY_KEY=1234', 'MY_KEY=***'],
  ['MYTOKEN=s3cr3t MYSECRET=s3cr3t DBPASSWORD=s3cr3t', 'MYTOKEN=*** MYSECRET=*** DBPASSWORD=***'],
  ['x --authkey s3cr3t --mysecret=s3cr3t', 'x --authkey *** --mysecret=***'],
  ["DB_PASSWORD='p w'", "DB_PASSWORD='***'"],
  ['MY_KEY_2=s3cr3t STRIPE_KEY_LIVE=s3cr3t KEY_PROD=s3cr3t', 'MY_KEY_2=*** STRIPE_KEY_LIVE=*** KEY_PROD=***'],
  ['ACCESS_TOKENS=a,b HF_TOKENS=s3cr3t, on', 'ACCESS_TOKENS=*** HF_TOKENS=***, on'],
  ['vllm serve m --api-key s3cr3t an0ther --port 1', 'vllm serve m --api-key *** --port 1'],
  ['vllm serve --api-key=s3cr3t model', 'vllm serve --api-key=*** model'],
  ['vllm serve m --api-key=s3cr3t,an0ther && echo', 'vllm serve m --api-key=*** && echo'],
  ['x --auth-tokens s3cr3t --hf-tokens=s3cr3t -v', 'x --auth-tokens *** --hf-tokens=*** -v'],
  ['DB_PASS=s3cr3t x --smtp-pass s3cr3t', 'DB_PASS=*** x --smtp-pass ***'],
  ['WANDB_API_KEY=1234567890', 'WANDB_API_KEY=***'],
  // Reprs of arguments.
  [
    "server_args=ServerArgs(model_path='m', api_key='s3cr3t', port=30000)",
    "server_args=ServerArgs(model_path='m', api_key='***', port=30000)",
  ],
  ["Namespace(hf_token='s3cr3t', tp=2)", "Namespace(hf_token='***', tp=2)"],
  ["non-default args: {'api_key': ['a', 'b'], 'port': 1}", "non-default args: {'api_key': [***], 'port': 1}"],
  ["['--api-key', 's3cr3t', '--port', '1']", "['--api-key', '***', '--port', '1']"],
  ["api_key=b'bytes'", "api_key=b'***'"],
  ["{'password': 'a\\'b', 'x': 1}", "{'password': '***', 'x': 1}"],
  ["token=SecretStr('s3cr3t') x", "token=SecretStr('***') x"],
  ["x --api-key $'s3cr3t' -v", "x --api-key $'***' -v"],
  ['MYSQL_PWD=s3cr3t PWD=/srv OLDPWD=/', 'MYSQL_PWD=*** PWD=/srv OLDPWD=/'],
  ['setenv HF_TOKEN s3cr3t; set -x HF_HOME /srv', 'setenv HF_TOKEN ***; set -x HF_HOME /srv'],
  ['sshpass -p s3cr3t ssh host', 'sshpass -p *** ssh host'],
  // JSON, also within a string of JSON.
  [
    '[{"name": "HF_TOKEN", "value": "s3cr3t"}, {"name": "HOME", "value": "/root"}]',
    '[{"name": "HF_TOKEN", "value": "***"}, {"name": "HOME", "value": "/root"}]',
  ],
  [
    "[{'name': 'DB_PASSWORD', 'value': 's3cr3t', 'value_from': None}]",
    "[{'name': 'DB_PASSWORD', 'value': '***', 'value_from': None}]",
  ],
  ['{"api_key":"s3cr3t","port":1}', '{"api_key":"***","port":1}'],
  ['{"accessToken": "s3cr3t", "n": 1}', '{"accessToken": "***", "n": 1}'],
  ['{"body":"{\\"api_key\\":\\"s3cr3t\\",\\"n\\":1}"}', '{"body":"{\\"api_key\\":\\"***\\",\\"n\\":1}"}'],
  ['api_key: s3cr3t', 'api_key: ***'],
  // Headers and URLs.
  ['https://s3cr3t0123456789ab@host/x.git git@host', 'https://***@host/x.git git@host'],
  [
    'https://h/x?X-Amz-Expires=60&X-Amz-Signature=ab12&n=1',
    'https://h/x?X-Amz-Expires=60&X-Amz-Signature=***&n=1',
  ],
  ['https://h/x?sv=1&sig=ab%2B12 y', 'https://h/x?sv=1&sig=*** y'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
  ["-H 'Authorization: Bearer abc' http://x", "-H 'Authorization: Bearer ***' http://x"],
  ['{"Authorization": "Bearer abc", "n": 1}', '{"Authorization": "Bearer ***", "n": 1}'],
  ['Proxy-Authorization: Basic dXNlcjpwdw==', 'Proxy-Authorization: Basic ***'],
  ['X-Api-Key: s3cr3t', 'X-Api-Key: ***'],
  ['GET /v1?api_key=s3cr3t&n=1', 'GET /v1?api_key=***&n=1'],
  ['http_proxy is http://user:pw@proxy:80/', 'http_proxy is http://user:***@proxy:80/'],
  // Known by their form.
  ['login with hf_abcdEFGH1234567890 done', 'login with *** done'],
  ['bearer sk-proj-abcdefghij0123456789', 'bearer ***'],
  ['ghp_abcdefghijklmnopqrstuvwx0123', '***'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF', '***'],
];

const innocents: readonly string[] = [
  'tokenizer',
  "tokenizer_path='m', tokenizer_mode='auto', skip_tokenizer_init=False",
  'max_total_num_tokens=65536, chunked_prefill_size=8192',
  '--max-tokens 5 --max-num-batched-tokens 8192 --tokenizer m --max-prefill-tokens=16384',
  'key_cache=torch.Size([2, 16]), key_cache: bf16',
  'Decode batch. #running-req: 1, #token: 57, token usage: 0.00, gen throughput (token/s): 12.3',
  'Prefill batch. #new-seq: 1, #new-token: 7, #cached-token: 0, token usage: 0.00',
  "KeyError: 'model.layers.0.mlp.gate_up_proj.weight'",
  "bos_token='<s>', eos_token='</s>', pad_token_id=0, eos_token_id: [1, 2]",
  "api_key=None, admin_api_key=null, api_key='', hf_token=False",
  'num_key_value_heads=8, key=value, sort_key=name, keys=[1, 2]',
  'Unexpected token: } at line 3',
  'TOKENIZERS_PARALLELISM=false NCCL_DEBUG=INFO',
  'VLLM_NUM_TOKENS=12',
  'KEY_CACHE=on NUM_KEY_VALUE_HEADS=8 KEY_HEADS=2 SSL_KEY_FILE=/etc/x SINGLE_PASS=1 --two-pass on',
  'PREFILL_TOKENS=8192 --chunk-tokens 4096 session_tokens=12 forward_pass=3 bypass: 1',
  'hf_overrides={}, hf_config_path=None, hf_transfer, hf_quantizer',
  ['--api-key $API_KEY --token $', '{TOKEN} --port 1'].join(''),
  '--served-model-name m --key-cache on',
  "speculative_num_draft_tokens=4, hot_key_values='x'",
  'ssl_keyfile=/etc/x, disk-usage, risk-free-estimate-of-something',
  'http://host:30000/health 12:30:45 a@b',
  'Loading safetensors checkpoint shards:  25% Completed | 1/4 [00:00<00:02, 1.27it/s]',
];

describe('redaction', () => {
  it.each(secrets)('%s', (text, expected) => expect(redact(text)).toBe(expected));

  it.each(innocents)('leaves alone: %s', (text) => expect(redact(text)).toBe(text));

  it('changes nothing more when repeated', () => {
    for (const [text] of secrets) expect(redact(redact(text))).toBe(redact(text));
  });

  it('finds every secret of a line that holds many', () => {
    const line = secrets.map(([text]) => text).join(' | ');
    expect(redact(line)).not.toMatch(/s3cr3t|pw1/);
  });

  it.each([
    ['one word', 'x'],
    ['names', 'token_'],
    ['open quotes', "api_key='"],
    ['separators', 'key='],
    ['brackets', 'api_key=[a '],
    ['headers', 'Authorization: '],
    ['urls', '://a:'],
    ['backslashes', '\\"token\\":'],
  ])('gets through 2 MB of %s in one line', (_name, unit) => {
    // In quadratic time this would take longer than the test may.
    expect(redact(unit.repeat(2_000_000 / unit.length)).length).toBeGreaterThan(0);
  });
});

describe('redaction of an argv', () => {
  it('takes a value as one word, whatever is in it', () => {
    expect(redactArgv(['vllm', '--api-key', 'two words, "quoted"', '--port', '1'])).toEqual([
      'vllm',
      '--api-key',
      '***',
      '--port',
      '1',
    ]);
    expect(redactArgv(['vllm', 'serve', 'm', '--api-key', 'a', 'b c', 'd', '--tp', '2'])).toEqual([
      ...['vllm', 'serve', 'm', '--api-key', '***', '***', '***', '--tp', '2'],
    ]);
    expect(redactArgv(['env', 'HF_TOKEN=a b', '--hf-token=c d', '--max-tokens=5', 'max_tokens=5'])).toEqual([
      'env',
      'HF_TOKEN=***',
      '--hf-token=***',
      '--max-tokens=5',
      'max_tokens=5',
    ]);
  });

  it('looks into words as well', () => {
    expect(redactArgv(['bash', '-lc', 'HF_TOKEN=abc vllm serve m --api-key def'])).toEqual([
      'bash',
      '-lc',
      'HF_TOKEN=*** vllm serve m --api-key ***',
    ]);
  });

  it('does not take the next option for a value', () => {
    expect(redactArgv(['x', '--token', '--port', '1'])).toEqual(['x', '--token', '--port', '1']);
  });
});

describe('redaction of an environment', () => {
  it('keeps names, and values that are not secret', () => {
    expect(
      redactEnv({
        HF_TOKEN: 'abc',
        MY_KEY_2: 'two\nlines',
        PATH: '/bin',
        GIT_URL: 'https://me:pw@host/',
        TOKENIZERS_PARALLELISM: 'false',
      }),
    ).toEqual({
      HF_TOKEN: '***',
      MY_KEY_2: '***',
      PATH: '/bin',
      GIT_URL: 'https://me:***@host/',
      TOKENIZERS_PARALLELISM: 'false',
    });
  });
});
