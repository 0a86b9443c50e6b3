import { keptNetwork, parseNetwork } from '../../domain/query/address.ts';
import type { Anonymisation } from '../../domain/zone.ts';
import type { Dialect } from './dialect.ts';
import { allOf, among, anyOf, literalCount, literalHex, not, type Sql, sql, text, whole } from './sql.ts';
import { NO_ADDRESS, printedAddress, storedNetwork } from './stored-row.ts';
import { sameSql } from './text-terms.ts';

/** The columns that an address is stored in: see `StoredRow`. */
export const ADDRESS = { first: sql`address`, prefix: sql`prefix`, word: sql`remoteIp` };

/** Bits that a logged address may stand for with stars in the place of its end: `1.2.3.*`, `1.2.*`, `1.*`. */
const STARRED = [120, 112, 104];

/** Those of IPv4. */
const V4 = storedNetwork({ words: [0], prefix: 0 });

/** Bits of the network that a client is counted under, and how it is written. */
const CLIENT_NETWORKS = { v4: { bits: 120, suffix: sql`'/24'` }, v6: { bits: 48, suffix: sql`'/48'` } };
/** What is no first address of such a network. */
const NO_NETWORK = 'f'.repeat(32);

/** An address as it was logged, where that is no word of its own; '' = there is none. */
export function addressText(address: Sql, word: Sql, dialect: Dialect): Sql {
  const isOwn = anyOf([
    sql`${word} <> ''`,
    sql`${address} = ${dialect.bytesOf(literalHex(NO_ADDRESS), 'address')}`,
  ]);
  return dialect.choose(isOwn, word, printed(address, dialect));
}

/** The same as 16 bytes in hex, or as a word behind a tilde: an engine takes 4 ms to learn how addresses are written. */
export function bareAddress(address: Sql, word: Sql, dialect: Dialect): Sql {
  return dialect.choose(sql`${word} <> ''`, sql`concat('~', ${word})`, dialect.hexOf(address, 'address'));
}

/** An address as it was logged; '' = there is none. */
export function addressOfBare(bare: string): string {
  if (bare.startsWith('~')) return bare.slice(1);
  return bare === NO_ADDRESS ? '' : printedAddress(bare);
}

/** The first address of the network that a client is counted under. */
export function networkFirst(dialect: Dialect): Sql {
  const { first: address, prefix } = ADDRESS;
  const { v4, v6 } = CLIENT_NETWORKS;
  const isOf = isV4(address, dialect);
  return dialect.choose(
    allOf([isOf, sql`${prefix} >= ${literalCount(v4.bits)}`]),
    dialect.masked(address, v4.bits),
    dialect.choose(
      allOf([not(isOf), sql`${prefix} >= ${literalCount(v6.bits)}`]),
      dialect.masked(address, v6.bits),
      dialect.bytesOf(literalHex(NO_NETWORK), 'address'),
    ),
  );
}

/** Such a network as it is written. */
export function networkText(network: Sql, dialect: Dialect): Sql {
  const { v4, v6 } = CLIENT_NETWORKS;
  const suffix = dialect.choose(isV4(network, dialect), v4.suffix, v6.suffix);
  return dialect.choose(
    sql`${network} = ${dialect.bytesOf(literalHex(NO_NETWORK), 'address')}`,
    sql`''`,
    sql`concat(${printed(network, dialect)}, ${suffix})`,
  );
}

/** The logged network and one of these overlap, or the logged word is one of these. */
export function addressCondition(
  wanted: readonly string[],
  anonymisation: Anonymisation,
  dialect: Dialect,
): Sql {
  const networks = wanted.flatMap((value) => {
    const network = parseNetwork(value);
    if (network === null) return [];
    return [storedNetwork(anonymisation === 'lastOctet' ? keptNetwork(network) : network)];
  });
  const { first: address, prefix, word } = ADDRESS;
  const singles = networks.filter(({ from, to }) => from === to);
  const wide = networks.filter(({ from, to }) => from !== to);
  // One of two networks that overlap holds the other.
  const inside = anyOf([
    ...(singles.length === 0
      ? []
      : [
          among(
            address,
            singles.map(({ from }) => dialect.bytesOf(text(from), 'address')),
          ),
        ]),
    ...wide.map(({ from, to }) => {
      const isInside = sql`${address} >= ${dialect.bytesOf(text(from), 'address')} AND ${address} <= ${dialect.bytesOf(text(to), 'address')}`;
      const holdsV4 = from < V4.from && to > V4.to;
      return holdsV4 ? allOf([isInside, not(isV4(address, dialect))]) : isInside;
    }),
  ]);
  const around = networks.flatMap((each) =>
    STARRED.filter((bits) => bits < each.prefix).map(
      (bits) =>
        sql`${address} = ${dialect.bytesOf(text(cutTo(each.from, bits)), 'address')} AND ${prefix} = ${whole(bits)}`,
    ),
  );
  return anyOf([
    ...(networks.length === 0 ? [] : [allOf([sql`${prefix} > 0`, inside]), ...around]),
    sameSql(word, wanted),
  ]);
}

/** The first address of the network of so many bits. */
function cutTo(address: string, bits: number): string {
  return address.slice(0, bits / 4).padEnd(address.length, '0');
}

export function isV4(address: Sql, dialect: Dialect): Sql {
  return sql`${address} >= ${dialect.bytesOf(literalHex(V4.from), 'address')} AND ${address} <= ${dialect.bytesOf(literalHex(V4.to), 'address')}`;
}

export function printed(address: Sql, dialect: Dialect): Sql {
  return dialect.choose(isV4(address, dialect), dialect.printedV4(address), dialect.printedV6(address));
}
