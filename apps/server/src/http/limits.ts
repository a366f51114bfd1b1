import { EXPORT_ROWS_MAX } from '@firsthand/contract'

/** Limits of the HTTP API and of live updates. */
export const LIMITS = {
  /** What callers are told to wait whose read was refused (503). */
  READ_RETRY_SECONDS: 5,
  /** Body of a call of the HTTP API. */
  API_BODY_BYTES: 1024 * 1024,
  /** Body of a call that takes files. */
  API_UPLOAD_BYTES: 64 * 1024 * 1024,
  /** Time that such a call has, and for how long nothing of it may come. */
  API_UPLOAD_TIMEOUT_MS: 10 * 60_000,
  API_UPLOAD_IDLE_MS: 30_000,
  /** Body of somebody who has not signed in and shows no token. */
  API_STRANGER_BODY_BYTES: 16 * 1024,
  /** Arrays and objects inside each other in such a body. */
  API_JSON_DEPTH: 64,
  /** JSON answers above this size are compressed. */
  API_COMPRESS_BYTES: 1024,
  /** One value in a path of the HTTP API. */
  API_PARAMETER_CHARACTERS: 300,
  /** The `Link` header of a page, which repeats the asked address for each neighbour: clients and proxies read 16 KiB of headers. */
  LINK_HEADER_CHARACTERS: 12 * 1024,
  /** Cookies of the session's name in one request that are looked up where no CSRF token says which one is meant. */
  SESSION_COOKIES_TRIED: 20,
  SESSION_COOKIE_CHARACTERS: 128,
  /** Open live-update streams. */
  LIVE_STREAMS: 1000,
  LIVE_STREAMS_PER_CALLER: 10,
  /** A stream ends after this time; the browser opens it again, with its rights checked anew. */
  LIVE_STREAM_SECONDS: 900,
  LIVE_HEARTBEAT_SECONDS: 25,
  /** Updates that wait for a slow reader before its stream is closed. */
  LIVE_QUEUED_UPDATES: 256,
  /** A stream begins with the updates of so long ago, that many at most: the page read what it shows before it was open. */
  LIVE_REPEATED_SECONDS: 10,
  LIVE_REPEATED_UPDATES: 32,
  /** Organisations of which the newest updates are known. */
  LIVE_ORGANIZATIONS_REPEATED: 1000,
  /** Bytes of files that are being sent, which are held until their readers have taken them; one reader may have a part. */
  FILES_UNDER_WAY_BYTES: 256 * 1024 * 1024,
  FILES_OWNER_PARTS: 4,
  /** Who takes nothing of a file for so long is cut off. */
  FILE_IDLE_MS: 30_000,
  /** Larger files are read piece by piece while they are sent, and take so much of that room. */
  FILE_STREAMED_BYTES: 4 * 1024 * 1024,
  /** A file is sent in pieces of this size. */
  FILE_PIECE_BYTES: 64 * 1024,
  /** Rows of a list that is saved as a file, how many are asked for at once, how often, and how large the file may be. */
  EXPORT_ROWS: EXPORT_ROWS_MAX,
  EXPORT_PAGE_ROWS: 1000,
  EXPORT_PAGES: 100,
  EXPORT_BYTES: 32 * 1024 * 1024,
  /** Built files whose hash is remembered. */
  STATIC_FILES_REMEMBERED: 1000,
  /** Time a client has to send the headers of a request. */
  HEADERS_TIMEOUT_MS: 15_000,
  /** Time a client has to send a whole request; ingest routes have bounds of their own for their bodies. */
  REQUEST_TIMEOUT_MS: 60_000,
  /** How often the two times above are looked at. */
  REQUEST_CHECK_MS: 2000,
  /** Time that open requests have to finish when the server stops. */
  SHUTDOWN_GRACE_MS: 5000,
  /** What readers are told to wait when a store fails (503). */
  STORE_FAULT_RETRY_SECONDS: 10,
} as const
