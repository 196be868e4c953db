import { connect } from 'node:net';
import type { ServerChannel, TcpipRequestInfo } from 'ssh2';

/** Answers a `direct-tcpip` request: loopback addresses are connected to, all else and closed ports are refused. */
export function forwardToLoopback(
  accept: () => ServerChannel,
  reject: () => void,
  info: TcpipRequestInfo,
): void {
  if (!isLoopback(info.destIP)) {
    reject();
    return;
  }
  const socket = connect({ host: info.destIP, port: info.destPort });
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.off('error', reject);
    const channel = accept();
    for (const stream of [socket, channel]) stream.on('error', () => {});
    socket.pipe(channel).pipe(socket);
    channel.on('close', () => socket.destroy());
    socket.on('close', () => channel.close());
  });
}

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
