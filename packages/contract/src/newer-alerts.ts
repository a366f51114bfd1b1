import { z } from './zod.ts'
import { date, displayName, empty, flag, id, paging, projectFilter } from './common.ts'
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

/** Ids of Sentry's are numbers or texts, by who sends them. */
const reference = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,15}$/, 'An id is a number.'))

const sentCondition = z.object({
  type: z.string().max(64),
  comparison: z.unknown(),
  conditionResult: z.union([z.number(), z.boolean()]).nullish(),
})
const sentOwner = z.string().max(64).nullish()

/** What is counted, as it is written; it is read back within `queryObj`. */
const sentQuery = z.object({
  aggregate: z.string().max(200),
  dataset: z.string().max(64),
  query: z.string().max(2000).nullish(),
  eventTypes: z.array(z.string().max(64)).max(10).nullish(),
  environment: z.string().max(64).nullish(),
  /** Seconds. */
  timeWindow: z.number(),
})

export const detectorBody = z.object({
  name: displayName.optional(),
  type: z.string().max(64).optional(),
  description: z.string().max(2000).nullish(),
  enabled: z.boolean().nullish(),
  owner: z.union([sentOwner, z.object({ type: z.string().max(16), id: reference })]),
  dataSources: z
    .array(
      z.union([
        sentQuery,
        z.object({ queryObj: z.object({ snubaQuery: sentQuery }) }).transform((read) => read.queryObj.snubaQuery),
      ]),
    )
    .max(1)
    .optional(),
  conditionGroup: z.object({ conditions: z.array(sentCondition).max(10) }).nullish(),
  config: z.record(z.string().max(64), z.unknown()).nullish(),
  workflowIds: z.array(reference).max(100).optional(),
})
export type DetectorBody = z.output<typeof detectorBody>

export const createDetector = endpoint({
  method: 'POST',
  path: '/organizations/{org}/projects/{project}/detectors/',
  body: detectorBody,
  ok: detectorJson,
  summary: 'Add an alert about how much, which tells nobody yet (201)',
  scope: 'event:write',
})

export const updateDetector = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/detectors/{alert}/',
  body: detectorBody,
  ok: detectorJson,
  summary: 'Change what it counts and from where on it is too much; what is left out stays',
  scope: 'event:write',
})

export const deleteDetector = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/detectors/{alert}/',
  ok: empty,
  summary: 'Delete it, close its incidents, and tell whoever heard of them',
  scope: 'event:write',
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

const sentConditions = { logicType: z.string().max(16), conditions: z.array(sentCondition).max(50) }

export const workflowBody = z.object({
  name: displayName.optional(),
  enabled: z.boolean().optional(),
  environment: z.string().max(64).nullable().optional(),
  owner: z.string().max(64).nullable().optional(),
  config: z.object({ frequency: z.number() }).optional(),
  detectorIds: z.array(reference).max(200).optional(),
  triggers: z.object(sentConditions).optional(),
  actionFilters: z
    .array(
      z.object({
        ...sentConditions,
        actions: z
          .array(
            z.object({
              type: z.string().max(64),
              config: z.record(z.string().max(64), z.unknown()).optional(),
              data: z.record(z.string().max(64), z.unknown()).optional(),
            }),
          )
          .max(10),
      }),
    )
    .max(10)
    .optional(),
})
export type WorkflowBody = z.output<typeof workflowBody>

export const createWorkflow = endpoint({
  method: 'POST',
  path: '/organizations/{org}/workflows/',
  body: workflowBody,
  ok: workflowJson,
  summary: 'Add an alert of what projects find, or say whom one about how much tells (201)',
  scope: 'event:write',
})

export const updateWorkflow = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/workflows/{alert}/',
  body: workflowBody,
  ok: workflowJson,
  summary: 'Change an alert; what is left out stays',
  scope: 'event:write',
})

export const deleteWorkflow = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/workflows/{alert}/',
  ok: empty,
  summary: 'Delete an alert; one about how much goes on without telling anybody',
  scope: 'event:write',
})
