import { FAILURES, type Failure, type FailureKind, failureOf } from '../../domain/failure.ts';

/** The used part of what undici and Node throw. Messages are never shown: they may quote headers. */
type Thrown = Partial<
  Record<'name' | 'code' | 'message' | 'cause' | 'errors' | 'hostname' | 'port', unknown>
>;

type NetworkFault = { kind: FailureKind; detail: string };

const FAULTS: Readonly<Record<string, NetworkFault>> = {
  ENOTFOUND: { kind: 'dns', detail: 'the name does not exist' },
  EAI_AGAIN: { kind: 'dns', detail: 'the name server does not answer' },
  EAI_FAIL: { kind: 'dns', detail: 'the name server failed' },
  ECONNREFUSED: { kind: 'refusedConnection', detail: 'connection refused' },
  EHOSTUNREACH: { kind: 'refusedConnection', detail: 'no route to the host' },
  ENETUNREACH: { kind: 'refusedConnection', detail: 'the network is unreachable' },
  EADDRNOTAVAIL: { kind: 'refusedConnection', detail: 'no usable local address' },
  EACCES: { kind: 'refusedConnection', detail: 'a firewall forbids it' },
  ENETDOWN: { kind: 'refusedConnection', detail: 'the network is down' },
  ETIMEDOUT: { kind: 'timeout', detail: 'no connection' },
  UND_ERR_CONNECT_TIMEOUT: { kind: 'timeout', detail: 'no connection within 5 s' },
  UND_ERR_HEADERS_TIMEOUT: { kind: 'timeout', detail: 'no answer within 10 s' },
  UND_ERR_BODY_TIMEOUT: { kind: 'timeout', detail: 'the answer stopped for 10 s' },
  ECONNRESET: { kind: 'connectionLost', detail: 'connection reset' },
  EPIPE: { kind: 'connectionLost', detail: 'connection closed' },
  UND_ERR_SOCKET: { kind: 'connectionLost', detail: 'connection closed by the other side' },
  UND_ERR_ABORTED: { kind: 'connectionLost', detail: 'connection closed' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { kind: 'connectionLost', detail: 'the answer is cut short' },
  UND_ERR_HEADERS_OVERFLOW: { kind: 'unreadable', detail: 'the headers are too large' },
  UND_ERR_PRX_TLS: { kind: 'proxy', detail: 'its certificate cannot be verified' },
  UND_ERR_PRX_CONN: { kind: 'proxy', detail: 'it closed the connection' },
};

/** Certificate faults of OpenSSL as Node names them. */
const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** What was thrown during a request to `url`, as a Failure of its kind. `proxied`: a proxy may stand in between. */
export function networkFailure(thrown: unknown, url: URL, proxied: boolean): Failure {
  const chain = chainOf(thrown as Thrown);
  const { kind, detail } = faultOf(chain);
  // Until a proxied connection stands, the proxy is the only peer.
  const isBeforeTunnel = proxied && FAILURES[kind].traits.blames === 'address';
  const ofProxy = isBeforeTunnel && chain.some((error) => isElsewhere(error, url));
  return failureOf(ofProxy ? 'proxy' : kind, { host: url.host, detail });
}

/** A system error names its address, which tells the proxy from the server. */
function isElsewhere(error: Thrown, url: URL): boolean {
  if (typeof error.hostname === 'string') return error.hostname !== url.hostname;
  return (
    typeof error.port === 'number' &&
    error.port !== Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  );
}

function faultOf(chain: readonly Thrown[]): NetworkFault {
  for (const error of chain) {
    const code = typeof error.code === 'string' ? error.code : '';
    const message = typeof error.message === 'string' ? error.message : '';
    // undici reports a refused CONNECT as an abort; only its text says so.
    const refused = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
    if (refused !== undefined) return { kind: 'proxy', detail: `it answered ${refused}` };
    if (TLS_CODE.test(code)) return { kind: 'tls', detail: code };
    // Its code is often missing, and its message quotes the server.
    if (error.name === 'HTTPParserError') return { kind: 'unreadable', detail: 'not an HTTP answer' };
    const known = FAULTS[code];
    if (known !== undefined) return known;
  }
  return { kind: 'connectionLost', detail: 'connection closed' };
}

/** Causes first: undici wraps what happened, and Node puts an error per address into an AggregateError. */
function chainOf(thrown: Thrown | null | undefined, depth = 0): Thrown[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return [];
  const inner = Array.isArray(thrown.errors) ? (thrown.errors as Thrown[]) : [];
  return [...inner, thrown.cause as Thrown].flatMap((error) => chainOf(error, depth + 1)).concat(thrown);
}
