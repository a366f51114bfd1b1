import { z } from './zod.ts'
import { date, flag, id, paging, projectFilter } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Alerts as Sentry shows them since May 2026: what finds something (detectors), and who is told of it (workflows). */

const condition = z.object({
  id,
  type: z.string(),
  comparison: z.unknown(),
  /** A number of priority (75 high, 50, 25, 0 all is well), or true. */
  conditionResult: z.union([z.number(), z.boolean()]),
})

const detectorJson = z.object({
  id,
  projectId: id.nullable(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.string(),
  workflowIds: z.array(id),
  owner: z.object({ type: z.string(), id, name: z.string() }).nullable(),
  createdBy: id.nullable(),
  dateCreated: date,
  dateUpdated: date,
  dataSources: z
    .array(
      z.object({
        id,
        organizationId: id,
        type: z.string(),
        sourceId: id,
        queryObj: z.object({
          id,
          status: z.number(),
          subscription: z.null(),
          snubaQuery: z.object({
            id,
            dataset: z.string(),
            query: z.string(),
            aggregate: z.string(),
            /** Seconds. */
            timeWindow: z.number(),
            environment: z.string().nullable(),
            eventTypes: z.array(z.string()),
            /** 0 errors, 1 performance. */
            queryType: z.number(),
          }),
        }),
      }),
    )
    .nullable(),
  conditionGroup: z
    .object({
      id,
      organizationId: id,
      logicType: z.string(),
      conditions: z.array(condition),
      actions: z.array(z.never()),
    })
    .nullable(),
  config: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  /** Of what a rule looks for; not counted for all that a project finds by itself. */
  openIssues: z.number().optional(),
  latestGroup: z.null(),
})
export type DetectorJson = z.output<typeof detectorJson>

const eitherWay = <const Field extends string>(fields: readonly Field[]) =>
  z.enum(fields.flatMap((field): (Field | `-${Field}`)[] => [field, `-${field}`]))

/** What both lists are asked by. */
const asked = {
  id: z.array(z.string().max(20)).max(100).optional(),
  query: z.string().max(200).default(''),
  ...projectFilter,
  ...paging,
}

export const DETECTOR_ORDERS = ['id', 'name', 'type', 'connectedWorkflows', 'latestGroup', 'openIssues'] as const
export const WORKFLOW_ORDERS = [
  'id',
  'name',
  'dateCreated',
  'dateUpdated',
  'lastTriggered',
  'connectedDetectors',
  'actions',
  'priorityDetector',
] as const

export const listDetectors = endpoint({
  method: 'GET',
  path: '/organizations/{org}/detectors/',
  query: z.object({
    ...asked,
    type: z.array(z.string().max(64)).max(20).optional(),
    enabled: flag().optional(),
    sortBy: eitherWay(DETECTOR_ORDERS).default('id'),
  }),
  ok: z.array(detectorJson),
  summary: 'What finds something, as Sentry shows it since May 2026: alerts about how much, and two of each project',
  scope: 'event:read',
})

export const getDetector = endpoint({
  method: 'GET',
  path: '/organizations/{org}/detectors/{alert}/',
  ok: detectorJson,
  summary: 'One of them',
  scope: 'event:read',
})

const workflowJson = z.object({
  id,
  name: z.string(),
  /** What of it Sentry's form has no words for, in ours; null where that is nothing. */
  description: z.string().nullable(),
  organizationId: id,
  createdBy: id.nullable(),
  dateCreated: date,
  dateUpdated: date,
  triggers: z
    .object({
      id,
      organizationId: id,
      logicType: z.string(),
      conditions: z.array(condition),
      actions: z.array(z.never()),
    })
    .nullable(),
  actionFilters: z.array(
    z.object({
      id,
      organizationId: id,
      logicType: z.string(),
      conditions: z.array(condition),
      actions: z.array(
        z.object({
          id,
          type: z.string(),
          integrationId: id.nullable(),
          data: z.record(z.string(), z.unknown()),
          config: z.object({
            targetType: z.string(),
            targetIdentifier: z.string().nullable(),
            targetDisplay: z.string().nullable(),
          }),
          status: z.string(),
        }),
      ),
    }),
  ),
  environment: z.string().nullable(),
  config: z.object({ frequency: z.number() }),
  detectorIds: z.array(id),
  enabled: z.boolean(),
  lastTriggered: date.nullable(),
  owner: z.string().nullable(),
})
export type WorkflowJson = z.output<typeof workflowJson>

export const listWorkflows = endpoint({
  method: 'GET',
  path: '/organizations/{org}/workflows/',
  query: z.object({
    ...asked,
    /** Those that these detectors are connected with. */
    detector: z.array(z.string().max(20)).max(100).optional(),
    sortBy: eitherWay(WORKFLOW_ORDERS).default('id'),
  }),
  ok: z.array(workflowJson),
  summary: 'Whom alerts tell, as Sentry shows it since May 2026',
  scope: 'event:read',
})

export const getWorkflow = endpoint({
  method: 'GET',
  path: '/organizations/{org}/workflows/{alert}/',
  ok: workflowJson,
  summary: 'One of them',
  scope: 'event:read',
})
