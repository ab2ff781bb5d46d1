/** The version of the HTTP contract, as the OpenAPI document and `--version` show it. */
export const CONTRACT_VERSION = '1.0.0';
