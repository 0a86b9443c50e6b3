const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A value that must not be seen. However JavaScript turns the object into text, it gives `[secret 1a2b3c4d]`; only
 * `reveal()` gives the value, and only the transport and the guarded views call that.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  /** The first 8 hex digits of the SHA-256 of the UTF-8 value: enough to tell two keys apart, not to guess one. */
  get fingerprint(): string {
    // Loaded only here: it costs the start 3 ms, and a session may never show a fingerprint.
    const { createHash } = process.getBuiltinModule('node:crypto');
    return createHash('sha256').update(this.#value, 'utf8').digest('hex').slice(0, 8);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return `[secret ${this.fingerprint}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.toPrimitive](): string {
    return this.toString();
  }

  [INSPECT](): string {
    return this.toString();
  }
}
