import { pseudonymised } from '../domain/handover/pseudonyms.ts';

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

/** A pseudonym as a whole value of a query. */
const NAMED = /(?<=[:,])ip-(\d{1,9})(?=[\s,]|$)/g;

/** Addresses and their pseudonyms: the same address has the same number as long as the session lasts. */
export function createPseudonyms() {
  const numbers = new Map<string, number>();
  const addresses: string[] = [];
  const numberOf = (address: string) => {
    const known = numbers.get(address);
    if (known !== undefined) return known;
    addresses.push(address);
    numbers.set(address, addresses.length);
    return addresses.length;
  };
  return {
    mask: (text: string) => pseudonymised(text, numberOf),
    /** A command with pseudonyms alone for its addresses: with them it does not run. */
    maskCommand: (command: string) => pseudonymised(command, numberOf, true),
    /** A query with the addresses that its pseudonyms stand for. */
    meant: (query: string) => query.replace(NAMED, (name, number) => addresses[Number(number) - 1] ?? name),
  };
}

/** Texts as they are. */
export const NO_PSEUDONYMS: Pseudonyms = {
  mask: (text) => text,
  maskCommand: (command) => command,
  meant: (query) => query,
};
