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
  /** Hold back events that come many times more often than usual. */
  readonly spikeProtection: boolean
  readonly feedback: {
    readonly spam: SpamSettings
    readonly reply: ReplySettings
  }
}

export interface SpamSettings {
  readonly enabled: boolean
  /** Score from which a report is marked, 1 to 100. */
  readonly threshold: number
  /** Milliseconds; 0 switches the check off. */
  readonly minimumFillMs: number
  readonly maximumLinks: number
  /** Reports in `FEEDBACK_SPAM_WINDOW_MS`. */
  readonly reportsPerAddress: number
  readonly reportsPerKey: number
  readonly blockedWords: readonly string[]
}

/** How reporters get an answer. */
export interface ReplySettings {
  /** By e-mail, where the server has `FIRSTHAND_SMTP_URL` and the reporter gave an address. */
  readonly email: boolean
  /** By a private link, which the widget shows once a report is sent. */
  readonly page: boolean
  /** `Reply-To` of the mails; '' for none. */
  readonly replyTo: string
  /** '' for the project's name. */
  readonly fromName: string
  /** Reporters are told when the linked issue is resolved. */
  readonly notifyResolved: boolean
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
  spikeProtection: true,
  feedback: {
    spam: {
      enabled: true,
      threshold: 60,
      minimumFillMs: 1500,
      maximumLinks: 2,
      reportsPerAddress: 10,
      reportsPerKey: 300,
      blockedWords: [],
    },
    reply: { email: true, page: true, replyTo: '', fromName: '', notifyResolved: true },
  },
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
  /** Bytes of accepted data; null is the installation's default. */
  readonly bytesPerDay: number | null
  readonly organizationBytesPerDay: number | null
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
