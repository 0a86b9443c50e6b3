import type { Transport } from '../../src/api/http/transport.ts';

/** Puts other texts in the place of all that answers have of texts, times apart. `textOf`: what a text becomes, and by what name it goes. */
export function changedAnswers(
  textOf: (text: string, name: string, path: string) => string,
): (transport: Transport) => Transport {
  const changed = (value: unknown, name: string, path: string): unknown => {
    if (typeof value === 'string' && Number.isNaN(Date.parse(value))) return textOf(value, name, path);
    if (Array.isArray(value)) return value.map((each) => changed(each, name, path));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([each, under]) => [each, changed(under, each, path)]),
    );
  };
  return (transport) => ({
    ...transport,
    async send(request, signal) {
      const sent = await transport.send(request, signal);
      if (!sent.ok) return sent;
      const body = changed(JSON.parse(sent.value.bytes.toString()), '', request.path);
      return { ok: true, value: { ...sent.value, bytes: Buffer.from(JSON.stringify(body)) } };
    },
  });
}
