/** What the environment can say. `NO_COLOR` and the proxy variables are read as elsewhere. */
export const VARIABLES = {
  EDGESCOPE_ACCESS_KEY: "the account's access key",
  BUNNYNET_API_KEY: 'the same, where the first is not set',
  EDGESCOPE_TOKEN: 'a logging token (JWT); enough for the logs',
  EDGESCOPE_BASE_URL: "another main API than the platform's own",
  EDGESCOPE_LOGGING_URL: "another logging API than the platform's own",
  EDGESCOPE_ORIGIN_ERRORS_URL: "another server of origin errors than the platform's own",
  EDGESCOPE_STORAGE_URL: "another server of stored files than the platform's own",
  NO_COLOR: 'no colours: letters, words and styles say the same',
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY': 'a proxy to go through',
  XDG_CONFIG_HOME: 'where edgescope/config.json is; ~/.config where unset',
  XDG_STATE_HOME:
    'where undo and audit files, notebooks and places of sessions are, in edgescope; ~/.local/state where unset',
} as const satisfies Record<string, string>;
