import type { Secret } from '../text/secret.ts';

/** An account-wide API key from the list of keys. The value is never text: `secret.fingerprint` names it. */
export type ApiKey = {
  /** Decimal digits. */
  id: string;
  /** Opaque words, e.g. `User`, `UserApi`; untrusted text. */
  roles: readonly string[];
  /** null where the server keeps the value to itself. */
  secret: Secret | null;
};
