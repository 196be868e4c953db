import type { Connection } from 'ssh2';

/** What of ssh2's innards it takes: `disconnect` of its own has no words. */
interface Protocol {
  readonly _packetRW: {
    readonly write: {
      readonly allocStart: number;
      alloc(length: number): Buffer;
      finalize(packet: Buffer): Buffer;
    };
  };
  readonly _cipher: { encrypt(packet: Buffer): void };
}

/** Sends SSH_MSG_DISCONNECT (RFC 4253, 11.1) with that description, as a server may at any time. */
export function hangUp(connection: Connection, description: Buffer): void {
  const { _packetRW, _cipher } = (connection as unknown as { readonly _protocol: Protocol })._protocol;
  const { write } = _packetRW;
  const from = write.allocStart;
  const packet = write.alloc(1 + 4 + 4 + description.length + 4);
  packet[from] = 1;
  packet.writeUInt32BE(2, from + 1);
  packet.writeUInt32BE(description.length, from + 5);
  description.copy(packet, from + 9);
  packet.writeUInt32BE(0, from + 9 + description.length);
  _cipher.encrypt(write.finalize(packet));
  connection.end();
}
