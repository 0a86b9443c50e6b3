/** The variables read from the environment. `NO_COLOR` and the proxy variables mean what they mean elsewhere. */
export const VARIABLES = {
  EDGESCOPE_ACCESS_KEY: "the account's access key",
  BUNNYNET_API_KEY: 'the same, where the first is not set',
  EDGESCOPE_TOKEN: 'a logging token (JWT); enough for the logs',
  EDGESCOPE_BASE_URL: 'URL of another main API',
  EDGESCOPE_LOGGING_URL: 'URL of another logging API',
  EDGESCOPE_ORIGIN_ERRORS_URL: 'URL of another server of origin errors',
  EDGESCOPE_STORAGE_URL: 'URL of another server of stored files',
  NO_COLOR: 'no colours: letters, words and styles say the same',
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY': 'a proxy to go through',
  XDG_CONFIG_HOME: 'where edgescope/config.json is; ~/.config where unset',
  XDG_STATE_HOME: 'where edgescope/ is, with notebooks, undo and audit files; ~/.local/state where unset',
} as const satisfies Record<string, string>;
