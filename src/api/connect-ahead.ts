import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

type Connector = buildConnector.connector;
type Outcome = { socket: Socket } | { error: Error };

/** A connection that was begun before anything is asked over it. */
type Begun = { outcome: Promise<Outcome>; settled: Outcome | null };

export type ConnectorAhead = {
  connect: Connector;
  /** Begins a connection for the first request to this origin; says nothing over it. */
  begin(origin: URL): void;
  /** Ends the connections that no request has taken. */
  close(): void;
};

/**
 * A connector whose connections may be begun before their first request is known: the way to a server and back, and
 * its certificate, are then not waited for. A connection that failed, or that the server ended meanwhile, is made anew.
 */
export function connectAhead(connect: Connector): ConnectorAhead {
  const waiting = new Map<string, Begun>();

  function begin(origin: URL): void {
    const { protocol, host, hostname, port } = origin;
    const key = keyOf(protocol, host);
    if (waiting.has(key)) return;
    const begun: Begun = {
      settled: null,
      outcome: new Promise((resolve) => {
        connect({ protocol, host, hostname, port }, (error, socket) =>
          resolve(error === null ? { socket } : { error }),
        );
      }),
    };
    void begun.outcome.then((outcome) => {
      begun.settled = outcome;
    });
    waiting.set(key, begun);
  }

  return {
    begin,

    connect(options, callback) {
      const key = keyOf(options.protocol, options.host ?? options.hostname);
      const begun = waiting.get(key);
      waiting.delete(key);
      if (begun === undefined || (begun.settled !== null && !isUsable(begun.settled))) {
        connect(options, callback);
        return;
      }
      void begun.outcome.then((outcome) => {
        if ('error' in outcome) callback(outcome.error, null);
        else callback(null, outcome.socket);
      });
    },

    close() {
      for (const { outcome } of waiting.values()) {
        void outcome.then((made) => 'socket' in made && made.socket.destroy());
      }
      waiting.clear();
    },
  };
}

function isUsable(outcome: Outcome): boolean {
  return 'socket' in outcome && !outcome.socket.destroyed && outcome.socket.writable;
}

function keyOf(protocol: string, host: string): string {
  return `${protocol}//${host}`;
}
