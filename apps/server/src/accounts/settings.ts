/** Settings of a project that the door and the digest obey. Stored as JSON in the ledger; every field has a default. */
export interface ProjectSettings {
  readonly filters: {
    readonly browserExtensions: boolean
    readonly localhost: boolean
    readonly webCrawlers: boolean
    readonly legacyBrowsers: boolean
    /** Glob patterns; one match filters the event. */
    readonly releases: readonly string[]
    readonly errorMessages: readonly string[]
    /** Addresses or CIDR ranges. */
    readonly ipAddresses: readonly string[]
  }
  readonly scrubbing: {
    readonly enabled: boolean
    readonly defaults: boolean
    readonly ipAddresses: boolean
    readonly sensitiveFields: readonly string[]
    readonly safeFields: readonly string[]
  }
  readonly grouping: {
    /** Project fingerprint rules, one per line (protocol.md 5.4). */
    readonly fingerprintRules: string
    /** Project stack trace rules, one per line (protocol.md 5.2). */
    readonly stackTraceRules: string
    /** Also put the parameterised message into the hash of exceptions that have a stack (protocol.md 5.6). */
    readonly includeMessage: boolean
  }
  /** Origins that may send from a browser; `*` is any. Glob and port allowed. */
  readonly allowedDomains: readonly string[]
}

export const DEFAULT_PROJECT_SETTINGS: ProjectSettings = {
  filters: {
    browserExtensions: true,
    localhost: false,
    webCrawlers: true,
    legacyBrowsers: false,
    releases: [],
    errorMessages: [],
    ipAddresses: [],
  },
  scrubbing: { enabled: true, defaults: true, ipAddresses: false, sensitiveFields: [], safeFields: [] },
  grouping: { fingerprintRules: '', stackTraceRules: '', includeMessage: false },
  allowedDomains: ['*'],
}

/** Events per window that a key, a project or an organisation lets in; `null` is unlimited. */
export interface RateLimit {
  readonly count: number
  readonly windowSeconds: number
}

/** What the door needs to know about a key. Answered from memory on the hot path. */
export interface KeyContext {
  readonly keyId: number
  readonly publicKey: string
  readonly active: boolean
  readonly projectId: number
  readonly projectSlug: string
  readonly organizationId: number
  readonly rateLimit: RateLimit | null
  readonly settings: ProjectSettings
}

/** Narrow answers about keys and projects for the door and the digest. */
export interface ProjectLookup {
  /** Null when the key does not exist. Cached for at most `KEY_CACHE_SECONDS`, and dropped at once when a setting changes in this process. */
  byPublicKey(publicKey: string): Promise<KeyContext | null>
  /** Settings by project id, for the digest. Null when the project was deleted. */
  byProjectId(
    projectId: number,
  ): Promise<{ organizationId: number; settings: ProjectSettings; platform: string } | null>
}
