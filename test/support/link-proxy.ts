import net from 'node:net';

/** A TCP proxy before a server, whose link can be made bad in the ways in which links are bad. */
export interface LinkProxy {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Bytes that went to the client so far. */
  readonly bytesDown: number;
  /** Ends every connection as a closing peer does (FIN). */
  cut(): void;
  /** Ends every connection with RST. */
  reset(): void;
  /** Swallows everything in both directions, without a word; `restore()` ends that for new connections. */
  blackhole(): void;
  /** Bytes a second towards the client; null is unlimited. */
  throttle(bytesPerSecond: number | null): void;
  /** One-way delay of each chunk (ms). */
  delay(ms: number): void;
  restore(): void;
  /** Changes a bit of that byte towards the client, counted anew by each new connection; null none. */
  damage(byte: number | null): void;
  /** New connections are refused while true. */
  refuse(refused: boolean): void;
  stop(): Promise<void>;
}

/** Starts a proxy on a loopback port of its own towards 127.0.0.1:`target`. The caller stops it. */
export async function startLinkProxy(target: number): Promise<LinkProxy> {
  const pairs = new Set<{ readonly client: net.Socket; readonly server: net.Socket }>();
  const lost = new Set<net.Socket>();
  const state = {
    hole: false,
    rate: null as number | null,
    delayMs: 0,
    damaged: null as number | null,
    refused: false,
    connections: 0,
    bytesDown: 0,
  };

  const proxy = net.createServer((client) => {
    if (state.refused) {
      client.resetAndDestroy();
      return;
    }
    state.connections++;
    const server = net.connect(target, '127.0.0.1');
    let sent = 0;
    const pair = { client, server };
    pairs.add(pair);
    for (const socket of [client, server]) {
      socket.setNoDelay();
      socket.on('error', () => {});
    }
    pipe(client, server, () => null);
    pipe(
      server,
      client,
      () => state.rate,
      (chunk) => {
        const at = (state.damaged ?? -1) - sent;
        const byte = chunk[at];
        if (byte !== undefined) chunk[at] = byte ^ 1;
        sent += chunk.length;
        state.bytesDown += chunk.length;
      },
    );
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on('close', () => {
      // From a black hole the server does not learn that its client has gone.
      if (state.hole) lost.add(server);
      else end();
    });
    server.on('close', end);
  });

  function pipe(
    from: net.Socket,
    to: net.Socket,
    rate: () => number | null,
    see: (chunk: Buffer) => void = () => {},
  ) {
    from.on('data', (chunk) => {
      if (state.hole) return;
      see(chunk);
      const bytesPerSecond = rate();
      if (bytesPerSecond !== null) return trickle(from, to, chunk, bytesPerSecond);
      if (state.delayMs > 0) setTimeout(() => to.writable && to.write(chunk), state.delayMs);
      else if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => void (state.hole || to.end()));
  }

  /** In small pieces, as a slow line brings them: a chunk at once and then a long silence would be another thing. */
  function trickle(from: net.Socket, to: net.Socket, chunk: Buffer, bytesPerSecond: number) {
    from.pause();
    const size = Math.max(1, Math.round(bytesPerSecond / 20));
    const next = (at: number): void => {
      if (at >= chunk.length) return void from.resume();
      if (!state.hole && to.writable) to.write(chunk.subarray(at, at + size));
      setTimeout(() => next(at + size), 50);
    };
    next(0);
  }

  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    port: address.port,
    get connections() {
      return state.connections;
    },
    get bytesDown() {
      return state.bytesDown;
    },
    cut() {
      for (const { client, server } of pairs) {
        client.end();
        server.destroy();
      }
    },
    reset() {
      for (const { client, server } of pairs) {
        client.resetAndDestroy();
        server.destroy();
      }
    },
    blackhole() {
      state.hole = true;
    },
    throttle(bytesPerSecond) {
      state.rate = bytesPerSecond;
    },
    delay(ms) {
      state.delayMs = ms;
    },
    damage(byte) {
      state.damaged = byte;
    },
    restore() {
      state.damaged = null;
      state.hole = false;
      state.rate = null;
      state.delayMs = 0;
    },
    refuse(refused) {
      state.refused = refused;
    },
    async stop() {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      for (const server of lost) server.destroy();
      await closed;
    },
  };
}
