import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { hostAndPort, type ListenAddress } from '../../config/command/listen-address.ts';
import { isLoopback } from '../../config/settings/settings.ts';
import { EXPOSITION_TYPE } from './exposition.ts';

const PATH = '/metrics';
/** Scrapers at once, some of which need not read: an answer of 500 zones is a quarter of a megabyte. */
const MOST_CONNECTIONS = 16;
/** Who neither asks nor reads for so long is hung up on, ms. */
const SILENCE = 10_000;
const LARGEST_HEAD = 8_192;

const TROUBLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
};

type MetricsServer = { url: string; close(): void };

/** Serves what `text` says at each scrape, whoever else is being answered. A text in its place says why nobody listens. */
export async function serveMetrics(
  address: ListenAddress,
  text: () => string,
): Promise<MetricsServer | string> {
  const server = createServer(
    {
      requestTimeout: SILENCE,
      headersTimeout: SILENCE,
      maxHeaderSize: LARGEST_HEAD,
    },
    (request, response) => {
      const refusal = refusalOf(request, address);
      if (refusal !== null) {
        response.writeHead(refusal, { 'Content-Length': 0 }).end();
        return;
      }
      const body = Buffer.from(text());
      response.writeHead(200, { 'Content-Type': EXPOSITION_TYPE, 'Content-Length': body.byteLength });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
  );
  server.timeout = SILENCE;
  server.maxConnections = MOST_CONNECTIONS;
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return `${hostAndPort(address)}: ${TROUBLES[code] ?? 'it cannot be listened on'} (${code})`;
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${hostAndPort({ ...address, port })}${PATH}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The status by which a request is refused; null where it is answered. */
function refusalOf({ method, url = '', headers }: IncomingMessage, address: ListenAddress): number | null {
  // A page in a browser of this machine comes under a name of its own that leads here, and would read what zones there are.
  const isHere = isLoopback(new URL(`http://${hostAndPort(address)}`));
  if (isHere && !isOfMachine(headers.host ?? '')) return 403;
  if (url.split('?')[0] !== PATH) return 404;
  return method === 'GET' || method === 'HEAD' ? null : 405;
}

function isOfMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
