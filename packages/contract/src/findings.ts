import { z } from './zod.ts'
import { endpoint } from './endpoint.ts'

/** How a project has the problems found that its spans show. */

const detectorId = z.string().regex(/^[a-z_]{1,40}$/)

const mute = z.object({
  /** Id of a rule; '' for all. */
  detector: z.union([z.literal(''), detectorId]),
  transaction: z.string().min(1).max(200),
})

export const detectorSettings = z.object({
  id: detectorId,
  title: z.string(),
  /** The rule in a sentence. */
  rule: z.string(),
  /** Type of its issues, as in `issue.type:`. */
  type: z.string(),
  enabled: z.boolean(),
  /** How often within a day before an issue appears. */
  seen: z.number(),
  defaultSeen: z.number(),
  /** Whether it is looked for in each trace, and counted: what is not is an issue at once, and no trial has it. */
  perTrace: z.boolean(),
  thresholds: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      unit: z.enum(['ms', 'bytes', 'percent', 'count']),
      value: z.number(),
      default: z.number(),
      min: z.number(),
      max: z.number(),
    }),
  ),
})
export type DetectorSettings = z.output<typeof detectorSettings>

const findingSettings = z.object({ detectors: z.array(detectorSettings), mutes: z.array(mute) })
export type FindingSettings = z.output<typeof findingSettings>

/** Rules that are not named, and what is not said of one, are as by default. */
const wantedSettings = z.object({
  detectors: z
    .array(
      z.object({
        id: detectorId,
        enabled: z.boolean().optional(),
        seen: z.int().min(1).max(10_000).optional(),
        thresholds: z.record(z.string().max(40), z.number().min(0).max(1_000_000_000)).optional(),
      }),
    )
    .max(40),
  mutes: z.array(mute).max(200),
})
export type WantedFindingSettings = z.output<typeof wantedSettings>

export const getFindingSettings = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/finding-settings/',
  ok: findingSettings,
  summary: 'Which problems are looked for in spans, and from which thresholds on',
  scope: 'project:read',
})

export const updateFindingSettings = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/finding-settings/',
  body: wantedSettings,
  ok: findingSettings,
  summary: 'Change which problems are looked for in spans',
  scope: 'project:write',
})

export const findingTrial = z.object({
  /** Traces in which something could be found. */
  traces: z.number(),
  /** There were more: only the newest were looked at. */
  truncated: z.boolean(),
  detectors: z.array(
    z.object({
      id: z.string(),
      /** How often something was found. */
      occurrences: z.number(),
      /** How many different problems. */
      problems: z.number(),
      /** How many of them were seen often enough. */
      issues: z.number(),
    }),
  ),
  /** The problems seen most often. */
  examples: z.array(
    z.object({
      detector: z.string(),
      title: z.string(),
      text: z.string(),
      sentence: z.string(),
      transaction: z.string(),
      occurrences: z.number(),
      isIssue: z.boolean(),
      traceId: z.string(),
    }),
  ),
})
export type FindingTrial = z.output<typeof findingTrial>

export const tryFindingSettings = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/finding-trial/',
  body: wantedSettings,
  ok: findingTrial,
  summary: 'What would have been found in the last day with these settings; nothing is changed',
  scope: 'project:write',
})
