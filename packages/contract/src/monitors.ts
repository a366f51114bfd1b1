import { z } from './zod.ts'
import { date, displayName, empty, environmentFilter, flag, id, number, paging, projectFilter, slug } from './common.ts'
import { endpoint } from './endpoint.ts'
import { actor } from './issues.ts'

/**
 * Monitors: what runs on a schedule, and says that it did. In Sentry's shape, with more beside it. A monitor is named by its
 * slug or its id (a UUID); a slug that several projects have is the oldest one's, unless `project` says which.
 */

const intervalUnit = z.enum(['minute', 'hour', 'day', 'week', 'month', 'year'])

/** `"0 3 * * *"`, or `[15, "minute"]`. */
const schedule = z.union([z.string().max(200), z.tuple([z.number(), intervalUnit])])

const monitorConfig = z.object({
  schedule_type: z.enum(['crontab', 'interval']),
  schedule,
  /** Minutes. */
  checkin_margin: z.number(),
  max_runtime: z.number(),
  timezone: z.string(),
  failure_issue_threshold: z.number(),
  recovery_threshold: z.number(),
})
export type MonitorConfig = z.output<typeof monitorConfig>

/** `23:00` to `05:00`, on the monitor's own clock. */
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time of the day is written like 23:00.')
const muteWindow = z.object({ from: clock, to: clock })

export const runStatus = z.enum(['in_progress', 'ok', 'error', 'missed', 'timeout', 'unknown'])
export type RunStatus = z.output<typeof runStatus>

const monitorEnvironment = z.object({
  name: z.string(),
  /** `active` before its first result. */
  status: z.enum(['active', 'ok', 'error', 'disabled']),
  isMuted: z.boolean(),
  dateCreated: date,
  lastCheckIn: date.nullable(),
  nextCheckIn: date.nullable(),
  nextCheckInLatest: date.nullable(),
  activeIncident: z.object({ startingTimestamp: date, resolvingTimestamp: z.null() }).nullable(),
  /** It was due, and did not run since. */
  isLate: z.boolean(),
  /** When the first of the runs was due that were missed since it ran last; null where none was. */
  lateSince: date.nullable(),
  /** When the run began that is under way; null when there is none. */
  runningSince: date.nullable(),
  /** Milliseconds that its last good runs took, the one in the middle; null where nothing says it. */
  typicalDuration: z.number().nullable(),
  /** Nothing came for many periods: is it needed any more? */
  isForgotten: z.boolean(),
})
export type MonitorEnvironment = z.output<typeof monitorEnvironment>

export const monitor = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: z.enum(['active', 'disabled']),
  isMuted: z.boolean(),
  isUpserting: z.boolean(),
  type: z.literal('cron_job'),
  config: monitorConfig,
  dateCreated: date,
  project: z.object({ id, slug: z.string(), name: z.string(), platform: z.string() }),
  owner: actor.nullable(),
  environments: z.array(monitorEnvironment),
  alertRule: z.null(),
  /** Why the configuration that came last was not taken; null when it was. */
  configError: z.string().nullable(),
  /** It, or its project, has as many environments as it may: check-ins of others are not taken. */
  isFull: z.boolean(),
  /** When a mute ends by itself. */
  mutedUntil: date.nullable(),
  muteWindows: z.array(muteWindow),
  /** Muted right now, by hand or by a window. */
  isSilent: z.boolean(),
})
export type Monitor = z.output<typeof monitor>

const wantedConfig = z.object({
  schedule_type: z.enum(['crontab', 'interval']).optional(),
  schedule: schedule.optional(),
  checkin_margin: z.number().nullish(),
  max_runtime: z.number().nullish(),
  timezone: z.string().max(64).nullish(),
  failure_issue_threshold: z.number().nullish(),
  recovery_threshold: z.number().nullish(),
})

/** What somebody may say of a monitor; what is left out stays. */
const monitorChange = {
  name: displayName.optional(),
  status: z.enum(['active', 'disabled']).optional(),
  isMuted: z.boolean().optional(),
  is_muted: z.boolean().optional(),
  /** Together with `isMuted`; without it a mute has no end. */
  mutedUntil: date.nullish(),
  muteWindows: z.array(muteWindow).max(10).optional(),
  /** `user:1`, `team:2`; null for nobody. */
  owner: z.string().max(40).nullish(),
  config: wantedConfig.optional(),
  /** Check-ins set how it runs, as long as nobody does here: whoever changes `config` without a word of this means it. */
  isUpserting: z.boolean().optional(),
}

const inOrganization = '/organizations/{org}/monitors'
const inProject = '/projects/{org}/{project}/monitors'
/** Which of several with one slug. */
const ofProject = z.object({ project: z.array(z.string().max(64)).max(100).optional() })

export const listMonitors = endpoint({
  method: 'GET',
  path: `${inOrganization}/`,
  query: z.object({
    ...projectFilter,
    ...environmentFilter,
    ...paging,
    query: z.string().max(200).optional(),
    /** `user:1`, `team:2`, `myteams`, `unassigned`: any of them. */
    owner: z.array(z.string().max(40)).max(100).optional(),
  }),
  ok: z.array(monitor),
  summary:
    'Monitors: those that need somebody first, then by name; `query` is a part of the name or slug, `owner` whose they are',
  scope: 'event:read',
})

export const createMonitor = endpoint({
  method: 'POST',
  path: `${inOrganization}/`,
  body: z.object({
    ...monitorChange,
    name: displayName,
    slug: slug.optional(),
    /** Slug or id. */
    project: z.string().max(64),
    type: z.literal('cron_job').optional(),
    config: wantedConfig,
    /** Refused with a sentence: alerts are rules of their own. */
    alert_rule: z.looseObject({}).nullish(),
  }),
  ok: monitor,
  summary: 'Make a monitor (201); it waits for its first check-in',
  scope: 'event:write',
})

export const getMonitor = endpoint({
  method: 'GET',
  path: `${inOrganization}/{monitor}/`,
  query: ofProject,
  ok: monitor,
  summary: 'One monitor',
  scope: 'event:read',
})

export const getProjectMonitor = endpoint({
  method: 'GET',
  path: `${inProject}/{monitor}/`,
  ok: monitor,
  summary: 'One monitor of a project',
  scope: 'event:read',
})

export const updateMonitor = endpoint({
  method: 'PUT',
  path: `${inOrganization}/{monitor}/`,
  query: ofProject,
  body: z.object({ ...monitorChange, slug: slug.optional() }),
  ok: monitor,
  summary: 'Change a monitor, mute it or switch it off; what is left out stays',
  scope: 'event:write',
})

export const updateProjectMonitor = endpoint({
  method: 'PUT',
  path: `${inProject}/{monitor}/`,
  body: z.object({ ...monitorChange, slug: slug.optional() }),
  ok: monitor,
  summary: 'The same for a monitor of a project',
  scope: 'event:write',
})

export const deleteMonitor = endpoint({
  method: 'DELETE',
  path: `${inOrganization}/{monitor}/`,
  query: z.object({ ...ofProject.shape, environment: z.array(z.string().max(64)).max(50).optional() }),
  ok: empty,
  summary:
    'Delete a monitor, which can be undone for half an hour (202); with `environment`, those alone, for good, and their issues are over',
  scope: 'event:write',
})

export const deleteProjectMonitor = endpoint({
  method: 'DELETE',
  path: `${inProject}/{monitor}/`,
  ok: empty,
  summary: 'The same for a monitor of a project',
  scope: 'event:write',
})

export const restoreMonitor = endpoint({
  method: 'POST',
  path: `${inOrganization}/{monitor}/restore/`,
  ok: monitor,
  summary: 'Bring back a monitor that was deleted a moment ago, by its id',
  scope: 'event:write',
})

export const updateMonitorEnvironment = endpoint({
  method: 'PUT',
  path: `${inOrganization}/{monitor}/environments/{environment}/`,
  query: ofProject,
  body: z.object({ isMuted: z.boolean() }),
  ok: monitor,
  summary: 'Mute a monitor in one environment, or let it speak again',
  scope: 'event:write',
})

const checkIn = z.object({
  id: z.string(),
  environment: z.string(),
  status: runStatus,
  /** Milliseconds. */
  duration: z.number().nullable(),
  dateCreated: date,
  dateAdded: date,
  dateUpdated: date,
  dateInProgress: date.nullable(),
  dateClock: date,
  expectedTime: date.nullable(),
  monitorConfig,
  /** It came after it had been missed. */
  isLate: z.boolean(),
  exitCode: z.number().nullable(),
  release: z.string().nullable(),
  traceId: z.string().nullable(),
  hasLog: z.boolean(),
  /** Kind and reason in a line, as an issue says it. */
  heading: z.string(),
  reason: z.string(),
  /** The reason in pieces: its times, which `reason` tells by the monitor's clock, by that of whoever reads. */
  reasonParts: z.array(z.union([z.string(), z.object({ time: date })])),
})
export type CheckIn = z.output<typeof checkIn>

const checkInQuery = { ...environmentFilter, ...paging, status: runStatus.optional() }

export const listCheckIns = endpoint({
  method: 'GET',
  path: `${inOrganization}/{monitor}/checkins/`,
  query: z.object({ ...ofProject.shape, ...checkInQuery }),
  ok: z.array(checkIn),
  summary: 'Runs of a monitor, newest first, with those that never came',
  scope: 'event:read',
})

export const listProjectCheckIns = endpoint({
  method: 'GET',
  path: `${inProject}/{monitor}/checkins/`,
  query: z.object(checkInQuery),
  ok: z.array(checkIn),
  summary: 'The same for a monitor of a project',
  scope: 'event:read',
})

export const getCheckInLog = endpoint({
  method: 'GET',
  path: `${inOrganization}/{monitor}/checkins/{checkIn}/log/`,
  query: ofProject,
  ok: z.object({ text: z.string() }),
  summary: 'What a run wrote',
  scope: 'event:read',
})

/** Part of a time line: the worst that happened in it, and the longest run. */
const timelineCell = z.object({
  /** Which part, from 0. */
  at: z.number(),
  runs: z.number(),
  ok: z.number(),
  late: z.number(),
  error: z.number(),
  missed: z.number(),
  timeout: z.number(),
  unknown: z.number(),
  running: z.number(),
  /** Milliseconds. */
  longest: z.number().nullable(),
})
export type TimelineCell = z.output<typeof timelineCell>

const monitorTimeline = z.object({
  start: date,
  end: date,
  parts: z.number(),
  lines: z.array(z.object({ monitor: z.string(), environment: z.string(), cells: z.array(timelineCell) })),
})
export type MonitorTimeline = z.output<typeof monitorTimeline>

export const getMonitorTimelines = endpoint({
  method: 'GET',
  path: '/organizations/{org}/monitor-timelines/',
  query: z.object({
    /** Ids. */
    monitor: z.array(z.string().max(64)).max(100),
    hours: number()
      .pipe(
        z
          .int()
          .min(1)
          .max(24 * 30),
      )
      .default(24),
    parts: number().pipe(z.int().min(10).max(200)).default(120),
  }),
  ok: monitorTimeline,
  summary: 'Time lines of monitors: parts in which something ran, or should have',
  scope: 'event:read',
})

export const previewSchedule = endpoint({
  method: 'GET',
  path: '/organizations/{org}/monitor-schedule/',
  query: z.object({
    /** A crontab line, or a number of `unit`s. */
    schedule: z.string().max(200),
    unit: intervalUnit.optional(),
    timezone: z.string().max(64).default('UTC'),
    /** As if it ran right now: an interval begins with a run. */
    fromNow: flag().optional(),
  }),
  ok: z.object({
    /** Why it is no schedule; null when it is one. */
    error: z.string().nullable(),
    /** The next five times. */
    next: z.array(date),
  }),
  summary: 'What a schedule means: its next times, or why it is none',
  scope: 'event:read',
})
