import type { ClickHouseClient } from '@clickhouse/client'
import type { Accounts, Scope } from './accounts/index.ts'
import type { Config } from './config.ts'
import type { Addressing, Live, Page, Route } from './http/index.ts'
import type {
  Announcement,
  Backfill,
  BackfillBoard,
  DoorForm,
  ExportCheck,
  ItemAnswer,
  ItemKind,
  ItemRules,
  SettledClock,
  Submission,
} from './ingest/index.ts'
import type { Job } from './jobs.ts'
import type { Clock } from './lib/clock.ts'
import type { Findings } from './lib/findings.ts'
import type { Logger } from './lib/logger.ts'
import type { Ask, KnownAnswer } from './lib/questions.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Dataset } from './search/index.ts'
import type { BlobStore } from './storage/blobs/blobs.store.ts'
import type { BlobColumns, BlobFreeing } from './storage/blobs/freeing.ts'
import type { AgingTable, Ledger, LedgerDialect, Migration, PersonalData, RetentionPart } from './storage/index.ts'
import type { RowWriter } from './storage/telemetry/row-writer.ts'

/**
 * Something that Firsthand can do, in a folder of its own, and all that the rest must know of it. `capabilities.ts` lists
 * them; the road, the stores' migrations, retention, the route table and the composition go through that list and name
 * none.
 *
 * What is declared directly is data. `digest`, `datasets` and `serve` load their modules when they are called, so that
 * each thread loads only what it runs.
 */
export interface Capability {
  readonly name: string
  /** Its bounds, by names that no other has and that end in their unit (`docs/spec.md` section 9 lists all). */
  readonly limits?: Readonly<Record<string, number>>
  /** Steps of the ledger's shape. Numbers are given once over all capabilities, in the order in which they were released. */
  readonly ledgerMigrations?: (dialect: LedgerDialect) => readonly Migration[]
  readonly telemetryMigrations?: readonly Migration[]
  /** Tables of telemetry whose rows go when they are old, or with their project. */
  readonly agingTables?: readonly AgingTable[]
  /** Columns of its telemetry that name blobs: what they name is not removed when something else with the same bytes goes. */
  readonly blobColumns?: readonly BlobColumns[]
  /** How the door reads items of its types; no two capabilities have a rule for the same. */
  readonly itemRules?: ItemRules
  /** Rules for further types, as long as no other capability has one. */
  readonly itemRulesUntilOthersDo?: ItemRules
  /**
   * Types of the items that exports of OpenTelemetry become, by the last word of the address to which they are sent
   * (`/api/{project}/otlp/v1/<word>/`); no two capabilities have the same word.
   */
  readonly otlpAddresses?: ReadonlyMap<string, string>
  /** What becomes of its items, on the digest's thread. */
  readonly digest?: (parts: DigestParts) => Promise<readonly ItemKind[]>
  /** Items that it kept and that a kind of another capability takes by now. */
  readonly backfills?: (parts: BackfillParts) => Promise<readonly Backfill[]>
  /** Tables of it that any question can be asked of. */
  readonly datasets?: () => Promise<readonly Dataset[]>
  /** What it does in the server's main process. Called once, before anything is received. */
  readonly serve?: (parts: ServerParts) => Promise<Served>
}

/** What a capability works with on the digest's thread. */
export interface DigestParts {
  readonly writer: RowWriter
  readonly ledger: Ledger
  readonly clock: Clock
  readonly blobs: BlobStore
  /** A secret of the installation for one purpose, e.g. `threads`. */
  readonly keyFor: (purpose: string) => Uint8Array
  readonly logger: Logger
}

/** What a capability looks through for items that can be digested now. */
export interface BackfillParts {
  readonly client: ClickHouseClient
  readonly blobs: BlobStore
  readonly logger: Logger
  /** Of all capabilities. */
  readonly kinds: readonly ItemKind[]
}

/** What a capability works with in the main process. */
export interface ServerParts {
  readonly config: Config
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly client: ClickHouseClient
  /** Of all capabilities, in their order. */
  readonly datasets: readonly Dataset[]
  readonly blobs: BlobStore
  readonly freeing: BlobFreeing
  readonly live: Live
  readonly addressing: Addressing
  readonly findings: Findings
  readonly clock: Clock
  readonly logger: Logger
  /** Of this server, without a final slash. */
  readonly url: string
  /** Folder of the console's built files; it may not exist yet. */
  readonly consoleDir: string
  /** Null when there is no mail server to send by. */
  readonly mailer: Mailer | null
  readonly keyFor: (purpose: string) => Uint8Array
  /** Of this program. */
  readonly version: string
  /** Sends something down the road, as if it had come in by the door. */
  readonly submit: (submission: Submission) => Promise<void>
  /** Up to when all that was received can be read. */
  readonly settled: SettledClock
  /** The same with all that is heavy, which takes turns of its own. */
  readonly settledWhole: Pick<SettledClock, 'until'>
  /** What was received goes as it came, as soon as it is stored: what comes from now on is kept apart from it. */
  readonly letGoReceived: () => Promise<void>
  /** Asks capabilities that build on this one, and come after it in the list. */
  readonly ask: Ask
  /** What capabilities keep of people who use what is watched: of all of them, once all are served. */
  readonly personal: () => readonly PersonalData[]
  /** How far items are that were kept before and can be digested now. */
  readonly backfills: Pick<BackfillBoard, 'of'>
}

/** What a capability adds to the running server. */
export interface Served {
  readonly routes?: readonly Route[]
  /** Pages beside the console, for people without an account. */
  readonly pages?: readonly Page[]
  readonly jobs?: readonly CapabilityJob[]
  readonly retention?: RetentionPart
  /** What it keeps of people who use what is watched, to be counted and erased. */
  readonly personal?: readonly PersonalData[]
  /** Hears what the digest announces of its kinds, by their names. */
  readonly hear?: Readonly<Record<string, (news: Announcement) => void>>
  /** What it answers capabilities that it builds on. */
  readonly knows?: readonly KnownAnswer[]
  /** The address that stands for a legacy one below `/api/0`; null when it is none of its own. */
  readonly resolve?: (path: string) => Promise<string | null>
  /** Addresses at which people, not SDKs, send something. */
  readonly forms?: readonly DoorForm[]
  /** What the senders of an item type get back besides the id. */
  readonly answers?: Readonly<Record<string, ItemAnswer>>
  /** What the senders of exports of OpenTelemetry are told at once, by item type. */
  readonly exports?: Readonly<Record<string, ExportCheck>>
  /** Lets go what somebody had in an organisation, once they are no member of it any more. */
  readonly memberRemoved?: (organizationId: number, userId: number) => Promise<void>
  /** Lets go what somebody may not have there any more, by what their new role may do. */
  readonly roleChanged?: (organizationId: number, userId: number, scopes: ReadonlySet<Scope>) => Promise<void>
  /** Looks at what was stored before, once the server runs. Ends when the signal fires. */
  readonly examine?: (signal: AbortSignal) => Promise<void>
  /** Lets go what it holds, e.g. threads, and begins nothing new: the server ends. */
  readonly end?: () => void
}

export interface CapabilityJob extends Job {
  /** It removes or changes by age: it waits while nobody believes the clock. */
  readonly byTheClock?: boolean
}
