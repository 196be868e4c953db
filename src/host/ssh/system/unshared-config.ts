import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { HostSpec } from '../../spec.js';

/**
 * `spec` with a config, written into `folder`, that is the user's less ControlMaster and ControlPath. ssh hands its `-F` on
 * to the ssh of a jump host, which would else ride on the user's shared connection, where no host key is checked, or leave
 * one behind (ControlPersist).
 */
export function unsharedSpec(folder: string, spec: HostSpec): HostSpec {
  const { configFile } = spec;
  if (configFile === 'none') return spec;
  const files =
    configFile === undefined
      ? [join(userInfo().homedir, '.ssh/config'), '/etc/ssh/ssh_config']
      : [resolve(configFile)];
  // Include takes a pattern: a path that could be another one stays as it is.
  if (files.some((file) => /["'\\*?[\]\n%$]/.test(file))) return spec;
  const path = join(folder, 'config');
  // What stands first wins.
  const lines = ['ControlMaster no', 'ControlPath none', ...files.map((file) => `Include "${file}"`)];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  return { ...spec, configFile: path };
}
