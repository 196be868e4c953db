import { type Command, Option } from 'commander';
import {
  collectPids,
  collectSteps,
  collectVariables,
  duration,
  longerThanNothing,
  oneOf,
  port,
  signal,
  wholeNumber,
} from './values.js';

/** Where HOST|TARGET is taken. */
export const hostWords = 'a target of the config, local, an ssh alias, or [user@]host[:port]';

/** Of `--help`, and of docs/commands.md, which tells of them once. */
export const sshHeading = 'Reaching the host:';

/** They mean what they mean to `ssh`. */
export function sshOptions(command: Command): Command {
  return grouped(command, sshHeading, [
    new Option('-F <file>', 'ssh config file'),
    new Option('-i <file>', 'identity file'),
    new Option('-p <port>', 'ssh port').argParser(port),
    new Option('-J <hosts>', 'jump hosts, comma-separated'),
    new Option('--transport <which>', "who speaks SSH: the system's ssh, or ssh2 in here").argParser(
      oneOf('transport', ['ssh', 'ssh2']),
    ),
    new Option('--accept-new', 'take an unknown host key without asking'),
    new Option('--read-only', 'switch every action off'),
    configOption(),
  ]);
}

/** Which server is to be watched. */
export function watchedOptions(command: Command): Command {
  return grouped(command, serverHeading, [
    new Option('--name <name>', 'a server that firedup launched under this name'),
    new Option('--log <path>', 'its log file'),
    new Option('--pid <pid>', 'its process').argParser(wholeNumber),
    new Option('--port <port>', 'HTTP port that must answer before READY').argParser(port),
    containerOption(),
    engineOption(),
  ]);
}

/** Which of the host's servers is meant. */
export const serverOptions = (command: Command): Command => grouped(command, serverHeading, whichServer());

/** The same where something is ended: two words for it may mean two servers. */
export function victimOptions(command: Command): Command {
  const exclusive = ['name', 'log', 'pid', 'container'];
  const options = whichServer().map((option) => {
    const own = option.attributeName();
    return exclusive.includes(own) ? option.conflicts(exclusive.filter((other) => other !== own)) : option;
  });
  return grouped(command, serverHeading, options);
}

const whichServer = (): readonly Option[] => [
  new Option('--name <name>', 'the server that firedup launched under this name'),
  new Option('--log <path>', 'the server that writes this log'),
  new Option('--pid <pid>', 'the server with this process').argParser(wholeNumber),
  new Option('--port <port>', 'the server that listens on this port').argParser(port),
  containerOption(),
];

const serverHeading = 'Which server:';

/** What a launch consists of. */
export function launchOptions(command: Command): Command {
  return grouped(command, 'What is launched:', [
    new Option('--name <name>', 'name of this server on the host (the target, or default)'),
    new Option(
      '--log <path>',
      'log file; {attempt} in it is the number, without it .2, .3 … follow from the second attempt on',
    ),
    new Option('--port <port>', 'HTTP port that must answer before READY').argParser(port),
    engineOption(),
    variableOption('environment variable for the command (repeatable)'),
    new Option('--cwd <folder>', 'folder to start in'),
    new Option('--shell', 'run it through bash -lc'),
    new Option(
      '--before <command>',
      'run this on the host first, or @FILE: this script of yours (repeatable)',
    ).argParser(collectSteps),
  ]);
}

/** How a wait is bounded and told. */
export function waitOptions(command: Command): Command {
  return grouped(command, waitHeading, [
    new Option(
      '--timeout <duration>',
      'give up waiting after this long (without a screen 30m); the server is left alone',
    ).argParser(duration),
    new Option('--heartbeat <duration>', 'longest silence of the text output')
      .argParser(longerThanNothing)
      .default('15s'),
  ]);
}

const waitHeading = 'Waiting:';

export const engineOption = (): Option =>
  new Option('--engine <name>', 'which engine it is, instead of finding out; firedup engines lists them');

export const configOption = (): Option =>
  new Option('--config <file>', 'config file, instead of ./firedup.yaml or ~/.config/firedup/config.yaml');

export const variableOption = (description: string): Option =>
  new Option('--env <name=value>', description).argParser(collectVariables);

export const preflightOption = (): Option =>
  new Option('--no-preflight', 'do not look at the host before the start');

export const graceOption = (): Option =>
  new Option('--grace <duration>', 'time between TERM and KILL').argParser(duration).default('10s');

export const signalOption = (): Option =>
  new Option('--signal <name>', 'first signal: TERM, INT or KILL').argParser(signal).default('TERM');

export const alsoOption = (): Option =>
  new Option('--also <pid>', 'end this process outside its tree as well, it alone (repeatable)').argParser(
    collectPids,
  );

const containerOption = (): Option =>
  new Option('--container <name>', 'the server that runs in this container of docker or podman');

function grouped(command: Command, heading: string, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option.helpGroup(heading));
  return command;
}
