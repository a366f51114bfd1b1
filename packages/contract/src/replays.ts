import { z } from './zod.ts'
import {
  avatar,
  cursor,
  date,
  empty,
  environmentFilter,
  flag,
  id,
  number,
  paging,
  projectFilter,
  scopeQuery,
  timeRange,
} from './common.ts'
import { endpoint } from './endpoint.ts'
import { person } from './issues.ts'

/**
 * Replays: what visitors saw and did. A replay is a series of *segments*, each some seconds that an SDK recorded and sent;
 * they come in any order, twice or not at all. What screens and searches ask of it stands in *marks*, moments of the replay.
 */

/** Milliseconds since the epoch, by the corrected clock of the visitor. */
const moment = z.number()

const nameAndVersion = z.object({ name: z.string().nullable(), version: z.string().nullable() })

const orNull = z.string().nullable()

/** A click as it stands in a replay in Sentry's shape; what the element does not have is null. */
const replayClick = z.object({
  'click.alt': orNull,
  'click.classes': z.array(z.string()).nullable(),
  'click.component_name': orNull,
  'click.id': orNull,
  'click.label': orNull,
  'click.role': orNull,
  'click.tag': orNull,
  'click.testid': orNull,
  'click.text': orNull,
  'click.title': orNull,
})
export type ReplayClick = z.output<typeof replayClick>

/** A replay in Sentry's shape. */
export const replay = z.object({
  /** 32 hex characters, as the other ids. */
  id: z.string(),
  project_id: id,
  is_archived: z.boolean(),
  /** `buffer`: what was held back and sent because of an error. */
  replay_type: z.enum(['session', 'buffer']),
  started_at: date.nullable(),
  finished_at: date.nullable(),
  /** Whole seconds. */
  duration: z.number().nullable(),
  /** 1 to 10, from the numbers of errors and pages. */
  activity: z.number().nullable(),
  environment: z.string().nullable(),
  platform: z.string().nullable(),
  dist: z.string().nullable(),
  releases: z.array(z.string()),
  /** Of pages, in the order in which they were visited, each as often as it was. */
  urls: z.array(z.string()),
  error_ids: z.array(z.string()),
  warning_ids: z.array(z.string()),
  info_ids: z.array(z.string()),
  trace_ids: z.array(z.string()),
  count_segments: z.number().nullable(),
  count_urls: z.number().nullable(),
  count_errors: z.number().nullable(),
  count_warnings: z.number().nullable(),
  count_infos: z.number().nullable(),
  /** Clicks to which the page did not answer within seven seconds; rage clicks are among them. */
  count_dead_clicks: z.number().nullable(),
  count_rage_clicks: z.number().nullable(),
  sdk: nameAndVersion,
  os: nameAndVersion,
  browser: nameAndVersion,
  device: nameAndVersion.omit({ version: true }).extend({
    brand: z.string().nullable(),
    model: z.string().nullable(),
    family: z.string().nullable(),
  }),
  user: z.object({
    id: z.string().nullable(),
    username: z.string().nullable(),
    email: z.string().nullable(),
    ip: z.string().nullable(),
    /** The first of username, e-mail, id and address that is known. */
    display_name: z.string().nullable(),
    /** As far as the SDK says where the visitor was: no address is looked up. */
    geo: z.object({ city: orNull, country_code: orNull, region: orNull, subdivision: orNull }),
  }),
  /** Of an app that is updated over the air. */
  ota_updates: z.object({ channel: orNull, runtime_version: orNull, update_id: orNull }),
  /** On elements, the first `REPLAY_CLICKS_TOLD` of them; only in lists, and of one replay. */
  clicks: z.array(replayClick).optional(),
  /** Somebody wants it to be kept: it stays when replays have to go because of their space. */
  is_starred: z.boolean(),
  /** The caller opened it before. */
  has_viewed: z.boolean(),
  /** Every value that a tag had. */
  tags: z.record(z.string(), z.array(z.string())),
})
export type Replay = z.output<typeof replay>

export const MARK_KINDS = [
  'click',
  /** The page did not answer within seven seconds. */
  'dead_click',
  /** A dead one that was clicked five times or more. */
  'rage_click',
  'navigation',
  'console',
  'request',
  'vital',
  'memory',
  'input',
  'key',
  'focus',
  'hydration_error',
  'feedback',
  /** An error that was reported while this was recorded. */
  'error',
  /** Any other note of the SDK, e.g. of a phone's battery. */
  'note',
] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** A moment of a replay that is shown, or searched for. What a mark does not have is '' or null. */
export const replayMark = z.object({
  /** Its name among the marks of its replay, also when others come. */
  id: z.string(),
  at: moment,
  kind: z.enum(MARK_KINDS),
  /**
   * Of a click the text of the element (masked as it was recorded); of a request its address; of a vital, a note and a key
   * their names; of a console line its beginning; of an error its title.
   */
  text: z.string(),
  /** Of a navigation where it leads; of dead clicks the page. */
  url: z.string(),
  /** Of the element, in the recording; null for marks that are about none. */
  nodeId: z.number().nullable(),
  /** Of the element, from its ancestors on, e.g. `div#cart > button.buy[aria-label="Buy"]`. */
  selector: z.string(),
  /**
   * Of a vital its value (milliseconds, but for CLS), of memory the bytes in use, of a request the bytes of its answer, of
   * a dead or rage click how often was clicked.
   */
  value: z.number().nullable(),
  /** Milliseconds that a request or navigation took, or a click waited for an answer. */
  duration: z.number().nullable(),
  /** Of a request: its status; null while it had none. */
  status: z.number().nullable(),
  /**
   * What else is known, by names: `method`, `level`, `rating`, `eventId`, `shortId` (of its issue), `feedbackId`, `element`
   * (of a dead or rage click, as `replay-selectors/` calls it), `role`, `name` and `handle` (of what was clicked, as people
   * call it), …; of a note of the recorder (`replay.…`) its `reason`,
   * `count`, `limit` and `intervalMs`.
   */
  detail: z.record(z.string(), z.string()),
})
export type ReplayMark = z.output<typeof replayMark>

/** Why a segment of a replay cannot be played. */
const UNPLAYABLE = [
  /** Damaged, or cut off. */
  'corrupt',
  'too_large',
  'too_deep',
  /** No JSON, or no list. */
  'no_json',
  'no_events',
  /** Only the event beside the recording came. */
  'missing',
] as const

/** All that a player needs before it loads a picture. */
export const replayPlayback = z.object({
  replay,
  projectSlug: z.string(),
  /** The stretch that the player offers. */
  startedAt: moment,
  finishedAt: moment,
  /** In the order in which they are played. Two may have the same number: a tab that was duplicated counts twice. */
  segments: z.array(
    z.object({
      segmentId: z.number(),
      from: moment,
      to: moment,
      /** As they were sent. */
      bytes: z.number(),
      /** It has a whole page: the picture can begin in it. */
      snapshot: z.boolean(),
      /** Why it cannot be played; null when it can. */
      broken: z.enum(UNPLAYABLE).nullable(),
    }),
  ),
  /** Pages by the moment from which on they were shown; width and height are those of the window, 0 for unknown. */
  pages: z.array(z.object({ at: moment, url: z.string(), width: z.number(), height: z.number() })),
  /** By time. */
  marks: z.array(replayMark),
  /** How many further marks there are, which were left out. */
  marksLeftOut: z.number(),
  /** At least so many texts that stood on its pages a search for `text` does not find, because there were too many. */
  textsLeftOut: z.number(),
  /**
   * Stretches of more than ten seconds in which the visitor did nothing, and nothing happened that is worth seeing. What is
   * missing is none: nobody knows what happened there.
   */
  idle: z.array(z.tuple([moment, moment])),
  /** Segments that did not come: the first of them, how many, and the stretch that is missing. */
  gaps: z.array(z.object({ from: moment, to: moment, segmentId: z.number(), segments: z.number() })),
  /** False where no segment has a whole page, or none came: then there is nothing to be seen, but the marks and videos. */
  hasPicture: z.boolean(),
  /** What a phone recorded of its screen, by time; `getReplayVideo` has them. */
  videos: z.array(
    z.object({
      segmentId: z.number(),
      from: moment,
      to: moment,
      bytes: z.number(),
      /** Of the recorded screen, in the points in which its touches count; 0 for unknown. */
      width: z.number(),
      height: z.number(),
      /** Milliseconds that are added to the times in its recording. */
      shift: z.number(),
    }),
  ),
  /** Nothing came for some time: most likely nothing will. */
  complete: z.boolean(),
  /** Pictures, fonts and style sheets of its pages that the server fetches, where the project wants that. */
  assets: z.object({
    kept: z.number(),
    bytes: z.number(),
    /** They are fetched soon, or tried again. */
    waiting: z.number(),
    /** Why others were not kept, a word each (`http_404`, `too_large`, …), the most frequent first, with one address. */
    failed: z.array(z.object({ reason: z.string(), assets: z.number(), url: z.string() })),
    /** Addresses beyond the limits, which were not noted: so many at least. */
    leftOut: z.number(),
  }),
})
export type ReplayPlayback = z.output<typeof replayPlayback>

/** Clicks that a replay in Sentry's shape has; `listReplayClicks` has them all. */
export const REPLAY_CLICKS_TOLD = 100

/** What is left of a replay that was deleted, as Sentry tells of it. */
const archivedReplay = z.object({
  id: z.string(),
  project_id: id,
  is_archived: z.literal(true),
  trace_ids: z.array(z.string()),
  error_ids: z.array(z.string()),
  tags: z.array(z.string()),
  user: z.object({ id: z.string(), display_name: z.string() }),
  sdk: nameAndVersion,
  os: nameAndVersion,
  browser: nameAndVersion,
  device: replay.shape.device,
  replay_type: z.null(),
  started_at: z.null(),
  finished_at: z.null(),
  duration: z.null(),
  activity: z.null(),
  environment: z.null(),
  platform: z.null(),
  dist: z.null(),
  releases: z.null(),
  urls: z.null(),
  warning_ids: z.null(),
  info_ids: z.null(),
  count_segments: z.null(),
  count_urls: z.null(),
  count_errors: z.null(),
  count_warnings: z.null(),
  count_infos: z.null(),
  count_dead_clicks: z.null(),
  count_rage_clicks: z.null(),
  clicks: z.null(),
  ota_updates: z.null(),
  is_starred: z.null(),
  has_viewed: z.null(),
})
export type ArchivedReplay = z.output<typeof archivedReplay>

export const REPLAYS_PER_PAGE = 10
export const REPLAYS_PER_PAGE_MAX = 100

export const listReplays = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/',
  query: z.object({
    ...scopeQuery,
    /** Slugs: another way to name projects. */
    projectSlug: z.array(z.string().max(64)).max(100).optional(),
    /** Each condition is judged on the whole replay. */
    query: z.string().max(4096).optional(),
    /** What of a replay is answered; all that Sentry has without. Besides `first_error`, `first_video` and `has_picture`. */
    field: z.array(z.string().max(64)).max(100).optional(),
    /** One of the fields, with a hyphen before it for the largest first; `-started_at` without. */
    sort: z.string().max(64).optional(),
    sortBy: z.string().max(64).optional(),
    orderBy: z.string().max(64).optional(),
    cursor,
    /** More than `REPLAYS_PER_PAGE_MAX` is `REPLAYS_PER_PAGE`, as with Sentry. */
    per_page: number()
      .pipe(z.int().min(1))
      .transform((rows) => (rows > REPLAYS_PER_PAGE_MAX ? REPLAYS_PER_PAGE : rows))
      .optional(),
  }),
  ok: z.object({
    data: z.array(
      replay.partial().extend({
        /** When what `text:` in the query asks for first stood on a page of it. */
        shown_at: date.nullable().optional(),
        /** That text in lower case: what was searched, with what stood before and behind it. */
        shown_words: z.object({ before: z.string(), match: z.string(), after: z.string() }).nullable().optional(),
        /**
         * With `field=first_error`: what went wrong first, and the issue that it belongs to by now (null for one that was
         * deleted); null where nothing did.
         */
        first_error: z
          .object({
            event_id: z.string(),
            title: z.string(),
            at: date,
            issue: z.object({ id, short_id: z.string() }).nullable(),
          })
          .nullable()
          .optional(),
        /** With `field=has_picture`: a page of it was recorded, which `getReplayPicture` may show. */
        has_picture: z.boolean().optional(),
        /** With `field=first_video`: the first segment that a phone filmed, which `getReplayVideo` has; null for none. */
        first_video: z.number().nullable().optional(),
      }),
    ),
    /** How many replays there are without the query, and of how many the text is known: masked ones have none. Only with `text:`. */
    text: z.object({ replays: z.number(), readable: z.number() }).optional(),
  }),
  summary: 'Replays, those that began last first',
  scope: 'event:read',
})

export const getReplay = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/',
  query: z.object({ ...projectFilter, ...timeRange }),
  ok: z.object({ data: z.union([replay, archivedReplay]) }),
  summary: 'What is known of a replay, in Sentry’s shape',
  scope: 'event:read',
})

export const getProjectReplay = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/',
  ok: z.object({ data: z.union([replay, archivedReplay]) }),
  summary: 'The same, of one project',
  scope: 'event:read',
})

export const getReplayPlayback = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/playback/',
  ok: replayPlayback,
  summary: 'What a player needs before it loads a picture: stretch, pages, marks, gaps',
  scope: 'event:read',
})

/** As rrweb writes it. */
const recordedEvent = z.object({ type: z.number(), timestamp: moment, data: z.unknown() })

/**
 * A stretch of a replay that can be drawn without what was before: its events begin with the whole page, which may be one
 * that the server wrote from what was recorded before.
 */
export const replayChunk = z.object({
  /** Its name in addresses. What has it never changes; when segments come, chunks may get others. */
  number: z.number(),
  from: moment,
  /** Of its last event. */
  to: moment,
  /** Of its JSON. */
  bytes: z.number(),
  /** Of the page it begins with. */
  nodes: z.number(),
})
export type ReplayChunk = z.output<typeof replayChunk>

export const listReplayChunks = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/playback/chunks/',
  query: z.object({
    /** Whoever does not wait for all of them gets those that can be read by now, as soon as one can. */
    partly: flag().optional(),
    /** Number of the last chunk that whoever asks again has already: only those after it are told. */
    after: number().optional(),
  }),
  ok: z.object({
    /** By time; none where no page was recorded. */
    chunks: z.array(replayChunk),
    /** So many come before these: all up to `after`, or none where that is no chunk of this replay any more. */
    first: z.number(),
    /** Others follow the last of these, which are being prepared: they are told to who asks again. */
    preparing: z.boolean(),
    /** Nothing came for some time: most likely nothing will. */
    complete: z.boolean(),
  }),
  summary: 'The stretches of a replay that a player loads one by one',
  scope: 'event:read',
})

export const getReplayChunk = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/playback/chunks/{number}/',
  /** Events as rrweb writes them, by time, in milliseconds. They are hostile: whoever draws them rewrites them before. */
  ok: z.array(recordedEvent),
  summary: 'What is drawn in one of them',
  scope: 'event:read',
})

/** Of the page that `getReplayPicture` answers, in CSS pixels. */
export const REPLAY_PICTURE_WIDTH = 240
export const REPLAY_PICTURE_HEIGHT = 150
/** A phone's page would be a stripe: it is at least so wide, and its end is cut off. */
export const REPLAY_PICTURE_LEAST_WIDTH = 96

/** HTML, for a frame: a recorded page as it stood at a moment, made small. Nothing in it runs, and nothing is fetched for it. */
export const getReplayPicture = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/picture/',
  query: z.object({
    /** Some seconds after the beginning without. */
    at: number().pipe(moment.min(0)).optional(),
    /** Words in lower case: the element on the page in which they stand is outlined. */
    words: z.string().max(200).optional(),
  }),
  ok: empty,
  summary: 'A page of a replay, small, as HTML in which nothing runs; an empty page where nothing can be drawn',
  scope: 'event:read',
})

/** What a recorder noted of a request, or of its answer. */
const replayRequestSide = z.object({
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** How many further ones there are. */
  headersLeftOut: z.number(),
  /** Bytes, as the recorder says; null where it does not. */
  size: z.number().nullable(),
  /** Null where none was recorded. What was recorded as a value is written as JSON, over several lines if it is not large or nested. */
  body: z.string().nullable(),
  isJson: z.boolean(),
  /** How many further characters it has. */
  bodyLeftOut: z.number(),
  /** Why something is not there, in the recorder's own words: `URL_SKIPPED`, `TEXT_TRUNCATED`, `BODY_PARSE_ERROR`, … */
  warnings: z.array(z.string()),
})
export type ReplayRequestSide = z.output<typeof replayRequestSide>

/** A request of a recorded page with its headers and bodies, as far as the recorder was allowed to keep them. */
export const replayRequest = z.object({
  method: z.string(),
  url: z.string(),
  status: z.number().nullable(),
  /** Null where the recorder noted nothing of it. */
  request: replayRequestSide.nullable(),
  response: replayRequestSide.nullable(),
})
export type ReplayRequest = z.output<typeof replayRequest>

export const getReplayRequest = endpoint({
  method: 'GET',
  /** `mark`: the id of its mark. */
  path: '/organizations/{org}/replays/{replay}/requests/{mark}/',
  /** Null when it cannot be read out of the recording any more. */
  ok: z.object({ request: replayRequest.nullable() }),
  summary: 'Headers and bodies of a request of a replay',
  scope: 'event:read',
})

/** A Playwright test that does what the visitor did and fails when the error comes again. */
export const replayTest = z.object({
  /** Of its file. */
  name: z.string(),
  /** TypeScript. */
  source: z.string(),
  /**
   * Lines of the source, from 1 on, that do something, with the moment at which it was done; `code` without its remark.
   * `masked`: what is typed stands in for what was masked.
   */
  steps: z.array(z.object({ line: z.number(), at: moment, code: z.string(), masked: z.boolean() })),
  /** The test itself, without what stands above and below it in its file, and without remarks. */
  lines: z.array(
    z.object({
      text: z.string(),
      /** When it was done; null for what only serves the test. */
      at: moment.nullable(),
      /** `masked`: as of steps; `error`: it waits for the error. */
      kind: z.enum(['plain', 'masked', 'error']),
    }),
  ),
  /** Requests of the page that the test answers as they were recorded. */
  answers: z.array(
    z.object({
      /** Method and address. */
      request: z.string(),
      times: z.number(),
      /** How many of the answers are empty, because none was recorded. */
      withoutBody: z.number(),
    }),
  ),
  /** What is not as it was recorded; it stands at the top of the source as well. */
  missing: z.array(z.object({ at: moment.nullable(), text: z.string() })),
  /** What the test expects not to come again; null where nothing was reported in the replay. */
  error: z.object({ eventId: z.string(), title: z.string(), at: moment }).nullable(),
})
export type ReplayTest = z.output<typeof replayTest>

export const getReplayTest = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/test/',
  query: z.object({
    /** The error that the test ends with; the first of the replay without. */
    event: z.string().max(64).optional(),
    /** The file itself. */
    download: z.string().max(10).optional(),
    /** Of the file: a Playwright test, or the same steps as Chrome's Recorder imports them, without answers and assertion. */
    format: z.enum(['playwright', 'chrome-recorder']).default('playwright'),
  }),
  ok: replayTest,
  summary: 'A Playwright test of what led to an error, or with `download` its file, also for Chrome’s Recorder',
  scope: 'event:read',
})

export const getReplayJourney = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/journey/',
  ok: z.object({
    /**
     * How the visitor is known: by id, e-mail or name, or only by address and browser, which several may share; null for
     * one of whom nothing is known.
     */
    by: z.enum(['user', 'address']).nullable(),
    /** What they recorded in one project with half an hour between at most, this one among it; in order of the beginnings. */
    replays: z.array(replay),
  }),
  summary: 'Tabs and visits of one visitor around a replay',
  scope: 'event:read',
})

export const deleteReplay = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/replays/{replay}/',
  ok: empty,
  summary: 'Deletes a replay for good; segments of it that come later are refused',
  scope: 'event:admin',
})

export const starReplay = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/replays/{replay}/star/',
  ok: empty,
  summary: 'Keeps a replay when others have to go because of their space; it still goes when it is too old',
  scope: 'event:write',
})

export const unstarReplay = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/replays/{replay}/star/',
  ok: empty,
  summary: 'Takes the star of a replay away',
  scope: 'event:write',
})

/** Whose replays they are, in one project. */
const visitor = z.object({
  /**
   * How the visitor is known: as a user, by id, e-mail or name; or only by address and browser, which several may share:
   * then only those replays are meant that belong to the one that was asked for, in one journey.
   */
  by: z.enum(['user', 'address']),
  userId: z.string().nullable(),
  email: z.string().nullable(),
  username: z.string().nullable(),
  replays: z.number(),
})
export type ReplayVisitor = z.output<typeof visitor>

const visitorNames = {
  /** Of a replay of the visitor. */
  replay: z.string().max(64).optional(),
  userId: z.string().min(1).max(200).optional(),
  email: z.string().min(1).max(200).optional(),
}

export const getReplayVisitor = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replay-visitor/',
  query: z.object(visitorNames),
  ok: z.object({ data: visitor }),
  summary:
    'How many replays of a visitor a project has; the visitor is named by a replay, a user id or an e-mail address',
  scope: 'event:read',
})

const deletionJob = z.object({
  id: z.number(),
  dateCreated: date,
  dateUpdated: date,
  rangeStart: date.nullable(),
  rangeEnd: date.nullable(),
  environments: z.array(z.string()),
  status: z.enum(['pending', 'in-progress', 'completed', 'failed']),
  query: z.string(),
  countDeleted: z.number(),
  /** That the blobs of these replays took; those that something else has as well are not counted. */
  bytesFreed: z.number(),
  /** Whose replays are deleted; null for what the query finds. */
  visitor: visitor.omit({ replays: true }).nullable(),
  /** Null for somebody who is no user any more. */
  createdBy: person.nullable(),
  /** Why it failed; '' otherwise. */
  error: z.string(),
})
export type ReplayDeletionJob = z.output<typeof deletionJob>

export const listReplayDeletions = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/jobs/delete/',
  query: z.object(paging),
  ok: z.object({ data: z.array(deletionJob) }),
  summary: 'Deletions of many replays, the last first: who asked for what, and what became of it',
  scope: 'project:read',
})

export const countReplayDeletion = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replay-deletion/',
  query: z.object({ ...environmentFilter, ...timeRange, query: z.string().max(4096).optional() }),
  /**
   * The range is whole: as it is now, where a period was asked for. `isWhole` is false where a visitor that the query names
   * may have more ids and addresses than were looked for: replays under those would stay.
   */
  ok: z.object({ data: z.object({ replays: z.number(), rangeStart: date, rangeEnd: date, isWhole: z.boolean() }) }),
  summary: 'How many replays a deletion of all that a query finds would delete, and of which time',
  scope: 'event:read',
})

export const createReplayDeletion = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/replays/jobs/delete/',
  body: z.object({
    data: z.union([
      z.strictObject({ visitor: z.strictObject(visitorNames) }),
      // A misspelt query would delete everything in the range.
      z.strictObject({
        rangeStart: z.iso.datetime({ offset: true, local: true }),
        rangeEnd: z.iso.datetime({ offset: true, local: true }),
        environments: z.array(z.string().max(64)).max(100).default([]),
        query: z.string().max(4096).default(''),
      }),
    ]),
  }),
  ok: z.object({ data: deletionJob }),
  summary: 'Deletes all replays that a query finds, or all of a visitor, for good',
  scope: 'project:write',
})

export const getReplayDeletion = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/jobs/delete/{job}/',
  ok: z.object({ data: deletionJob }),
  summary: 'One deletion of many replays',
  scope: 'project:read',
})

export const REPLAY_GIGABYTES_MAX = 1_000_000

const keeping = {
  /** How many days after their end replays go; null for as long as the organisation keeps data. */
  days: z.int().min(1).max(3650).nullable(),
  /** How much space replays take at most, in 10⁹ bytes; the oldest go first. Null for any. */
  gigabytes: z.number().positive().max(REPLAY_GIGABYTES_MAX).nullable(),
}

const replayKeeping = z.object({
  ...keeping,
  organizationDays: z.number(),
  /**
   * What there is now: recordings and videos as they were sent, what was made of them as it is stored, and images, fonts and
   * styles of their pages, which count once, however many replays have them.
   */
  replays: z.number(),
  bytes: z.number(),
  starred: z.number(),
  starredBytes: z.number(),
  /** What these limits removed last; null if nothing yet. */
  freed: z.object({ at: date, replays: z.number(), bytes: z.number() }).nullable(),
})
export type ReplayKeeping = z.output<typeof replayKeeping>

export const getReplayKeeping = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replay-keeping/',
  ok: replayKeeping,
  summary: 'How long and in how much space a project keeps replays, and what they take now',
  scope: 'project:read',
})

export const updateReplayKeeping = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/replay-keeping/',
  body: z.object(keeping),
  ok: replayKeeping,
  summary: 'Changes how long and in how much space a project keeps replays',
  scope: 'project:write',
})

export const REPLAY_ASSET_HOSTS_MAX = 50

const assetSettings = {
  enabled: z.boolean(),
  /** `cdn.shop.example`, `*.shop.example`, with a scheme or port if need be. */
  hosts: z.array(z.string().min(1).max(300)).max(REPLAY_ASSET_HOSTS_MAX),
}

const replayAssetSettings = z.object({
  ...assetSettings,
  /** What there is now: addresses by how they ended, and bytes of those that were kept. */
  kept: z.number(),
  waiting: z.number(),
  failed: z.number(),
  bytes: z.number(),
})
export type ReplayAssetSettings = z.output<typeof replayAssetSettings>

export const getReplayAssetSettings = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replay-assets/',
  ok: replayAssetSettings,
  summary: 'Whether pictures, fonts and style sheets of recorded pages are fetched, from where, and what there is now',
  scope: 'project:read',
})

export const updateReplayAssetSettings = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/replay-assets/',
  body: z.object(assetSettings),
  ok: replayAssetSettings,
  summary: 'Changes whether pictures, fonts and style sheets of recorded pages are fetched, and from where',
  scope: 'project:write',
})

/** Something of a recorded page that was fetched. */
export const replayAsset = z.object({
  id,
  /** Where it was fetched from, as pages name it, without a fragment. */
  url: z.string(),
  type: z.string(),
  bytes: z.number(),
  /** Style sheets that a style sheet begins with; their conditions as they were written. */
  imports: z.array(z.object({ url: z.string(), condition: z.string() })),
})
export type ReplayAsset = z.output<typeof replayAsset>

export const listReplayAssets = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/assets/',
  ok: z.object({ assets: z.array(replayAsset) }),
  summary: 'Pictures, fonts and style sheets of its pages that were fetched for a replay',
  scope: 'event:read',
})

export const getReplayAsset = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays/{replay}/assets/{asset}/',
  ok: z.unknown(),
  summary: 'Bytes of one of them, to be saved and never to be shown as a page; addresses in style sheets are whole',
  scope: 'event:read',
})

/** Sentry's clients ask for pages of segments. */
export const REPLAY_SEGMENTS_PER_PAGE_MAX = 100

const segmentPage = {
  cursor,
  per_page: number()
    .pipe(z.int().min(1))
    .transform((rows) => Math.min(rows, REPLAY_SEGMENTS_PER_PAGE_MAX))
    .optional(),
}

export const replaySegment = z.object({
  replayId: z.string(),
  segmentId: z.number(),
  projectId: id,
  dateAdded: date,
})

export const listReplaySegments = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/recording-segments/',
  query: z.object({
    ...segmentPage,
    /** All segments in one answer, where no page is asked for. */
    download: z.string().max(10).optional(),
  }),
  /** By number; one that cannot be read is an empty list. */
  ok: z.array(z.array(recordedEvent)),
  summary: 'What was recorded: a list of segments, each a list of events',
  scope: 'event:read',
})

export const getReplaySegment = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/recording-segments/{segment}/',
  query: z.object({ download: z.string().max(10).optional() }),
  ok: z.object({ data: replaySegment }),
  summary: 'One segment, or with `download` its events',
  scope: 'event:read',
})

export const getReplayVideo = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/videos/{segment}/',
  /** An MP4 or WebM file; a part of it for a `Range`. */
  ok: z.unknown(),
  summary: 'What a phone recorded of its screen in one segment, as a video',
  scope: 'event:read',
})

export const listReplayClicks = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/clicks/',
  query: z.object({
    ...segmentPage,
    /** A search for replays: what it asks of one click (`click.…`, `dead.selector`, `rage.selector`); the rest is left out. */
    query: z.string().max(4096).optional(),
  }),
  ok: z.object({ data: z.array(z.object({ node_id: z.number(), timestamp: date })) }),
  summary: 'Clicks of a replay, with the nodes of the recording',
  scope: 'event:read',
})

/** As Sentry describes somebody who has an account. What is not known here is said as it is for everybody. */
const viewer = person.extend({
  type: z.literal('user'),
  avatar: avatar.extend({ avatarUrl: z.null() }),
  /** Empty: nobody has a picture, and none is asked for elsewhere. */
  avatarUrl: z.string(),
  emails: z.array(z.object({ id, email: z.string(), is_verified: z.boolean() })),
  isActive: z.boolean(),
  isManaged: z.boolean(),
  isStaff: z.boolean(),
  isSuperuser: z.boolean(),
  has2fa: z.boolean(),
  hasPasswordAuth: z.boolean(),
  dateJoined: date,
  lastLogin: date.nullable(),
  /** The later of the last sign-in and of when this replay was opened. */
  lastActive: date,
  experiments: z.object({}),
})

export const listReplayViewers = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/viewed-by/',
  ok: z.object({ data: z.object({ viewed_by: z.array(viewer) }) }),
  summary: 'Who opened a replay, those who did so last first',
  scope: 'event:read',
})

export const noteReplayViewed = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/replays/{replay}/viewed-by/',
  ok: empty,
  summary: 'Notes that the caller opened a replay; a token without event:write leaves no mark',
  scope: 'event:read',
})

/** An element that was clicked in vain, over all replays. */
export const replaySelector = z.object({
  /** A CSS selector, e.g. `button#buy.large[role="tab"]`. */
  dom_element: z.string(),
  element: z.object({
    alt: z.string(),
    aria_label: z.string(),
    class: z.array(z.string()),
    component_name: z.string(),
    id: z.string(),
    role: z.string(),
    tag: z.string(),
    testid: z.string(),
    title: z.string(),
    project_id: z.number(),
  }),
  /**
   * What people call it: its role, what stands on it ('' where that is masked, or was not always the same), and what tells it
   * apart in the code.
   */
  named: z.object({ role: z.string(), name: z.string(), handle: z.string() }),
  component_name: z.string(),
  /** Here a number, as with Sentry. */
  project_id: z.number(),
  /** Rage clicks among them. */
  count_dead_clicks: z.number(),
  count_rage_clicks: z.number(),
})

export const listReplaySelectors = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replay-selectors/',
  query: z.object({
    ...scopeQuery,
    /** Conditions on `count_dead_clicks` and `count_rage_clicks`. */
    query: z.string().max(4096).optional(),
    sort: z
      .enum(['count_dead_clicks', '-count_dead_clicks', 'count_rage_clicks', '-count_rage_clicks'])
      .default('-count_dead_clicks'),
    ...segmentPage,
  }),
  ok: z.object({ data: z.array(replaySelector) }),
  summary: 'Elements with dead and rage clicks',
  scope: 'event:read',
})

export const countReplays = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replay-count/',
  query: z.object({
    ...scopeQuery,
    /**
     * One of `issue.id`, `transaction` and `replay_id`, with one or several values: `issue.id:[1,2]`. The environment is that
     * of the errors and spans which name a replay; replays that are asked for by their ids are found in each.
     */
    query: z.string().max(8192).optional(),
    data_source: z.enum(['discover', 'errors', 'search_issues', 'spans']).optional(),
    returnIds: z.string().max(10).optional(),
  }),
  /** How many replays there are of each value, up to `REPLAYS_COUNTED_MAX`; or their ids. Values without one are left out. */
  ok: z.record(z.string(), z.union([z.number(), z.array(z.string())])),
  summary: 'How many replays issues or transactions have, and which replays there are',
  scope: 'event:read',
})

/** Counts go no further. */
export const REPLAYS_COUNTED_MAX = 51
