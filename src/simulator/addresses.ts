/** An address or a network as a number; `bits` counts the leading bits that matter. */
type Address = { version: 4 | 6; value: bigint };
export type Cidr = Address & { bits: number };

const parsed = new Map<string, Address | null>();
const MOST_KEPT = 20_000;

/** Null for anything that is no IPv4 or IPv6 address. Results are kept, since the same clients come again. */
export function readAddress(text: string): Address | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const address = text.includes(':') ? parse6(text) : parse4(text);
  if (parsed.size >= MOST_KEPT) parsed.clear();
  parsed.set(text, address);
  return address;
}

/** `a.b.c.d/n`, `…::/n`, or a bare address; null when malformed. */
export function readCidr(text: string): Cidr | null {
  const [head = '', tail, ...rest] = text.split('/');
  const address = readAddress(head);
  if (address === null || rest.length > 0) return null;
  const width = address.version === 4 ? 32 : 128;
  if (tail === undefined) return cidrOf(address, width);
  return /^\d{1,3}$/.test(tail) && Number(tail) <= width ? cidrOf(address, Number(tail)) : null;
}

export function cidrOf(address: Address, bits: number): Cidr {
  const free = BigInt((address.version === 4 ? 32 : 128) - bits);
  return { version: address.version, value: (address.value >> free) << free, bits };
}

export function isInNetwork(address: Address | null, network: Cidr): boolean {
  if (address === null || address.version !== network.version) return false;
  const free = BigInt((network.version === 4 ? 32 : 128) - network.bits);
  return address.value >> free === network.value >> free;
}

function parse4(text: string): Address | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  const octets = match?.slice(1).map(Number);
  if (octets === undefined || octets.some((octet) => octet > 255)) return null;
  return { version: 4, value: BigInt(octets.reduce((sum, octet) => sum * 256 + octet, 0)) };
}

function parse6(text: string): Address | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...left, ...Array<string>(halves.length === 2 ? missing : 0).fill('0'), ...right];
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return null;
  return {
    version: 6,
    value: groups.reduce((sum, group) => (sum << 16n) | BigInt(Number.parseInt(group, 16)), 0n),
  };
}
